import ArgumentParser
import BenchProject
import SerialPort

/// The options that select the board.
package struct BoardOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            """
            The board's port, or auto for the only one; see 'espbench ports'. Without --port, a virtual ESP32 is used.
            """,
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given; `nil`: the virtual board of this user.
    package var port: PortSelector? { ports.first }

    package func validate() throws { try PortSelector.checkOne(ports) }

    @OptionGroup package var flash: FlashFileOptions

    /// The port of a real or served board; `nil`: the virtual board of this user.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` for `auto`, when there is no candidate or more than one.
    package func address(_ environment: Environment, _ output: Output) async throws -> PortAddress? {
        guard let port else { return nil }
        return try await PortChoice(environment, output).address(port)
    }

    package init() {}
}

/// The options that select the virtual board.
package struct FlashFileOptions: ParsableArguments {
    @Option(
        name: .customLong("flash-file"),
        help: ArgumentHelp(
            "The file of the virtual board's flash; created if missing.", valueName: "file"),
        completion: .file())
    package var flashFile: String?

    package init() {}
}

/// The options for the ports of a command's boards.
package struct PortOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "A board's port, or auto; see 'espbench ports'. Repeatable. (default: the only board)",
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    package var ports: [PortSelector] = []

    /// The ports; without the option, the only board's port.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    package func addresses(_ environment: Environment, _ output: Output) async throws -> [PortAddress] {
        try await PortChoice(environment, output).addresses(ports)
    }

    package init() {}
}

/// The option for the port of a command's board.
package struct PortOption: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The board's port, or auto; see 'espbench ports'. (default: the only board)", valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given.
    package var port: PortSelector? { ports.first }

    package func validate() throws { try PortSelector.checkOne(ports) }

    /// The port; without the option, the only board's port.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    package func address(_ environment: Environment, _ output: Output) async throws -> PortAddress {
        try await PortChoice(environment, output).address(port)
    }

    package init() {}
}
