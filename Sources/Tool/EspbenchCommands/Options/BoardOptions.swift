import ArgumentParser
import SerialPort

/// The selected board.
struct BoardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The board's port: /dev/ttyUSB0, socket://HOST:PORT or rfc2217://HOST:PORT; without it, a virtual ESP32.",
            valueName: "address"),
        transform: Self.address)
    var port: PortAddress?

    @OptionGroup var flash: FlashFileOptions

    private static func address(_ text: String) throws -> PortAddress {
        do {
            return try Ports.kinds.address(text)
        } catch {
            throw ValidationError(error.description)
        }
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
