import ArgumentParser
internal import BLECentral
internal import BLECore
internal import BLEDescriptions
internal import ByteCodec
import CommandSupport

/// `espbench ble read`.
struct BLERead: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read a value of a Bluetooth peer.",
        discussion: """
            Several attributes are read on one connection, a line each. 'espbench read' reads a board's flash; it is \
            this command when its first word is a Bluetooth address, or with --central.
            """)

    @Option(
        name: .customLong("as"), help: ArgumentHelp(ShownValue.help, valueName: "kind"),
        transform: ShownValue.init(option:))
    var kind: ShownValue = .automatic

    @Flag(help: "Print a line with a JSON object for each value.")
    var json = false

    @OptionGroup var described: DescriptionOption

    @OptionGroup var options: PeerOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    @Argument(
        help: ArgumentHelp(
            "What to read: a UUID, its first digits, an assigned name, a handle such as 0x0010, or SERVICE/CHARACTERISTIC/DESCRIPTOR.",
            valueName: "attribute"))
    var attributes: [String]

    func validate() throws { try kind.check(json: json) }

    var unusedOptions: [UnusedOptions] { kind.unusedOptions }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(options.central, peer: options, environment, output) { session in
            let descriptions = try command.described.all()
            let selectors = try command.attributes.map { try AttributeSelector($0) }
            let (peripheral, _) = try await session.connect(to: command.peer, within: command.options.timeout)
            let services = try await session.services(of: peripheral)
            var interpreter = ValueInterpreter(descriptions, services: services.map(\.uuid))
            for place in try session.find(selectors, in: services) {
                let bytes = try await session.read(place, from: peripheral)
                if command.json {
                    output.data(try JSONLine.text(ValueRecord(place, bytes, &interpreter)) + "\n")
                } else {
                    output.data(command.kind.output(bytes, interpreter.text(bytes, of: place)))
                }
            }
        }
    }
}

/// `espbench write`.
struct BLEWrite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write a value to a Bluetooth peer.",
        discussion: """
            Values are \(WrittenValue.help); numbers are little-endian (u16be: and similar types: big-endian); several \
            words form one value. The value is written with a response if the characteristic has that property. To see \
            what the peer notifies in answer, use 'espbench notify --write'. 'espbench flash' writes a board's flash.
            """)

    @Flag(
        inversion: .prefixedNo,
        help: """
            Write with (Write Request) or without a response (Write Command). (default: by the characteristic's \
            properties)
            """)
    var response: Bool?

    @Flag(help: "Print a line with a JSON object for what was written.")
    var json = false

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
            let services = try await session.services(of: peripheral)
            for place in try session.find([selector], in: services) {
                try await session.write(value, to: place, of: peripheral, withResponse: command.response)
                guard command.json else { continue }
                var interpreter = ValueInterpreter(PeripheralDescription.catalogue, services: services.map(\.uuid))
                output.data(try JSONLine.text(ValueRecord(place, value.bytes, &interpreter)) + "\n")
            }
        }
    }
}
