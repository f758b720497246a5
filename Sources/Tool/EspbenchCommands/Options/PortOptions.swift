import ArgumentParser
import SerialPort

/// The ports of the boards that a command works on.
struct PortOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "A board's port, or auto; see 'espbench ports'. Repeatable. (default: the only board)",
            valueName: "address"),
        transform: PortSelector.init(option:))
    var ports: [PortSelector] = []

    /// The ports; without the option, the only board's.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    func addresses(_ environment: Environment, _ output: Output) async throws -> [PortAddress] {
        try await PortChoice(environment, output).addresses(ports)
    }
}

/// The port of the board that a command works on.
struct PortOption: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The board's port, or auto; see 'espbench ports'. (default: the only board)", valueName: "address"),
        transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given.
    var port: PortSelector? { ports.first }

    func validate() throws { try PortSelector.checkOne(ports) }

    /// The port; without the option, the only board's.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    func address(_ environment: Environment, _ output: Output) async throws -> PortAddress {
        try await PortChoice(environment, output).address(port)
    }
}
