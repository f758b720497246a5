import BLEAssignedNumbers
internal import BLEClients
internal import BLECore
internal import ByteCodec

/// What the page calls services and characteristics, and their values: the one place that knows of descriptions.
enum GATTNames {
    private static let own: [BLEUUID: String] = [
        CalculatorClient.service: "Calculator", CalculatorClient.input: "Calculator input",
        CalculatorClient.output: "Calculator output", LockClient.service: "Servo lock",
        LockClient.command: "Lock command", LockClient.state: "Lock state", LockClient.bolt: "Lock bolt",
        LockClient.status: "Lock status",
    ]

    /// The name of a service; `nil`: not known.
    static func service(_ uuid: BLEUUID) -> String? { own[uuid] ?? AssignedNumbers.service(uuid) }

    /// The name of a characteristic; `nil`: not known.
    static func characteristic(_ uuid: BLEUUID) -> String? { own[uuid] ?? AssignedNumbers.characteristic(uuid) }

    /// A value in words; `nil`: there are none for it.
    static func text(_ value: [UInt8], of characteristic: BLEUUID, in service: BLEUUID) -> String? {
        ShownValue.text(value).map { "\"\($0)\"" }
    }
}
