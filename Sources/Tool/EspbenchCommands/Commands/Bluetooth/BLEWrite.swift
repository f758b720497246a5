import ArgumentParser
internal import BLECentral
internal import BLECore

/// `espbench write`.
struct BLEWrite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write a value to a Bluetooth peer.",
        discussion: """
            Values are \(WrittenValue.help); numbers are little-endian, u16be: and the like big-endian; several words \
            are one value. It is written with a response if the characteristic has that property. To see what the peer \
            notifies in answer, use 'espbench notify --write'. 'espbench flash' writes a board's flash.
            """)

    @Flag(
        inversion: .prefixedNo,
        help: "Write with (Write Request) or without a response (Write Command). (default: what the characteristic has)"
    )
    var response: Bool?

    @OptionGroup var options: PeerOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    @Argument(
        help: ArgumentHelp(
            "What to write to: a UUID, its first digits, an assigned name, a handle such as 0x0010, or SERVICE/CHARACTERISTIC/DESCRIPTOR.",
            valueName: "attribute"))
    var attribute: String

    @Argument(help: ArgumentHelp("The value: \(WrittenValue.help).", valueName: "value"))
    var value: [String]

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(options.central, peer: options, environment, output) { session in
            let selector = try AttributeSelector(command.attribute)
            let value = try WrittenValue(command.value)
            let (peripheral, _) = try await session.connect(to: command.peer, within: command.options.timeout)
            let services = try await peripheral.services().map(\.discovered)
            for place in try session.find([selector], in: services) {
                try await place.write(value, to: peripheral, withResponse: command.response)
            }
        }
    }
}
