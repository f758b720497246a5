import BLEAssignedNumbers
internal import BLEClients
internal import BLECore
internal import BLEDescriptions

/// What the page calls services and characteristics, and their values: the one place that knows of descriptions.
enum GATTNames {
    private static let own: [BLEUUID: String] = [
        CalculatorClient.service: "Calculator", CalculatorClient.input: "Calculator input",
        CalculatorClient.output: "Calculator output", LockClient.service: "Servo lock",
        LockClient.command: "Lock command", LockClient.state: "Lock state", LockClient.bolt: "Lock bolt",
        LockClient.status: "Lock status",
    ]

    /// The name of a service; `nil`: not known.
    static func service(_ uuid: BLEUUID) -> String? {
        own[uuid] ?? AssignedNumbers.service(uuid)
            ?? PeripheralDescription.catalogue.lazy.flatMap(\.services).first { $0.uuid == uuid }?.name
    }

    /// The name of a characteristic; `nil`: not known.
    static func characteristic(_ uuid: BLEUUID) -> String? {
        own[uuid] ?? AssignedNumbers.characteristic(uuid)
            ?? PeripheralDescription.catalogue.lazy.flatMap(\.services).flatMap(\.characteristics)
            .first { $0.uuid == uuid }?.path
    }

    /// A value in words, as a description that comes with espbench has it, or the text that it is; `nil`: there are none.
    static func text(_ value: [UInt8], of characteristic: BLEUUID, in service: BLEUUID) -> String? {
        let described = PeripheralDescription.catalogue.lazy.compactMap {
            $0.characteristic(characteristic, in: service)
        }
        if let described = described.first(where: { !$0.values.isEmpty }) {
            do throws(DescriptionError) {
                return try described.decode(value).text
            } catch {
                return "\(error)"
            }
        }
        return ShownValue.text(value).map { "\"\($0)\"" }
    }
}
