import ArgumentParser
internal import BenchExecutor
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage
import SerialPort

/// `espbench load-ram`.
struct LoadRAM: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load-ram", abstract: "Load a program into a board's RAM and run it; the flash is not touched.",
        discussion: """
            All segments of the image must be in RAM; an image for another chip is refused. The program runs until the \
            board is reset, and prints at 115200 baud.
            """,
        aliases: ["load_ram"])

    @Flag(help: "Then show the board's console, until Ctrl-].")
    var monitor = false

    @OptionGroup var port: PortOption
    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print a line with a JSON object for each event and for the result.")
    var json = false

    @Argument(help: ArgumentHelp("The image.", valueName: "image"), completion: .file())
    var file: String

    func validate() throws {
        if monitor, json { throw ValidationError("--monitor and --json contradict each other.") }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { executor in
            let image = try Self.image(command.file)
            let address = try await command.port.address(environment, output)
            // Uses the ROM loader at its initial baud rate, because the program uses the UART with this setting.
            let sessions = BoardSessions(
                [PortOpener(address)], SessionOptions(connect: command.connection.value), chip: command.connection.chip,
                isJSON: command.json, output)
            return try await sessions.run { session in
                try await Self.load(image, command.file, session)
                guard command.monitor else { return .passed }
                return try await session.monitor(
                    output, executor, crashes: try CrashPrograms.lines(of: [], environment),
                    MonitorSettings(environment), reopen: { try await Ports.open(address) },
                    wallTime: environment.wallTime())
            }
        }
    }

    private static func image(_ path: String) throws(CommandFailure) -> FirmwareImage {
        let bytes = try InputFile.read(path)
        guard !bytes.starts(with: ELFFile.magic) else {
            throw CommandFailure(.badInput, "\(path): expected an image, got an ELF file", code: "loadRAM.isELF")
        }
        do throws(ImageError) {
            return try FirmwareImage(bytes[...])
        } catch {
            throw CommandFailure(imageError: error, path)
        }
    }

    private static func load(
        _ image: FirmwareImage, _ path: String, _ session: borrowing BoardSession
    ) async throws {
        session.reporter.phase("loading", "loading \(path) into RAM")
        try await session.flasher.runInRAM(image, on: session.board)
        // A reset would end the program.
        session.extent.isRestarted = true
        let entry = image.header.entryPoint
        session.reporter.succeeded("started at 0x\(String(entry, radix: 16))") { event in
            (event.file, event.address) = (path, entry)
            event.total = image.segments.reduce(0) { $0 + $1.data.count }
        }
    }
}
