import ArgumentParser
import SerialPort

/// The selected board.
struct BoardOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The board's port, or auto for the only one; see 'espbench ports'. Without it, a virtual ESP32.",
            valueName: "address"),
        transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given; `nil`: the virtual board of this user.
    var port: PortSelector? { ports.first }

    func validate() throws { try PortSelector.checkOne(ports) }

    @OptionGroup var flash: FlashFileOptions

    /// The port of a real or served board; `nil`: the virtual board of this user.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` for `auto`, when there is no candidate or more than one.
    func address(_ environment: Environment, _ output: Output) async throws -> PortAddress? {
        guard let port else { return nil }
        return try await PortChoice(environment, output).address(port)
    }
}

/// The selected virtual board.
struct FlashFileOptions: ParsableArguments {
    @Option(
        name: .customLong("flash-file"),
        help: ArgumentHelp(
            "The file of the virtual board's flash; created if missing.", valueName: "file"),
        completion: .file())
    var flashFile: String?
}
