import BLEAssignedNumbers
internal import BLEClients
internal import BLECore
internal import BLEDescriptions

/// What the page calls services and characteristics.
struct GATTNames: Sendable {
    private static let own: [BLEUUID: String] = [
        CalculatorClient.service: "Calculator", CalculatorClient.input: "Calculator input",
        CalculatorClient.output: "Calculator output", LockClient.service: "Servo lock",
        LockClient.command: "Lock command", LockClient.state: "Lock state", LockClient.bolt: "Lock bolt",
        LockClient.status: "Lock status",
    ]

    /// The descriptions that the user has given; their names come first.
    let given: [PeripheralDescription]

    /// The descriptions that were given, and then those that come with espbench.
    var descriptions: [PeripheralDescription] { given + PeripheralDescription.catalogue }

    /// The name of a service; `nil`: not known.
    func service(_ uuid: BLEUUID) -> String? {
        func described(_ descriptions: [PeripheralDescription]) -> String? {
            descriptions.lazy.flatMap(\.services).first { $0.uuid == uuid }?.name
        }
        return described(given) ?? Self.own[uuid] ?? AssignedNumbers.service(uuid)
            ?? described(PeripheralDescription.catalogue)
    }

    /// The name of a characteristic; `nil`: not known.
    func characteristic(_ uuid: BLEUUID) -> String? {
        func described(_ descriptions: [PeripheralDescription]) -> String? {
            descriptions.lazy.flatMap(\.services).flatMap(\.characteristics).first { $0.uuid == uuid }?.path
        }
        return described(given) ?? Self.own[uuid] ?? AssignedNumbers.characteristic(uuid)
            ?? described(PeripheralDescription.catalogue)
    }
}
