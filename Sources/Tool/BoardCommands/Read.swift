import ArgumentParser
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage
import FirmwareBuild

/// `espbench read`.
struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read a board's flash into a file.",
        discussion: """
            The data are compared with digests that the chip computes. Without a range, all of the flash is read. The \
            file may also follow the range, as with esptool. To read a value of a Bluetooth peer, use 'espbench ble \
            read', or give the peer's address as the first word.
            """,
        aliases: ["read-flash"])

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file, Intel HEX if its name says so; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var port: PortOption
    @OptionGroup var loader: LoaderOptions

    @Argument(help: ArgumentHelp(FlashRange.help, valueName: "range"))
    var words: [String] = []

    func run() throws {
        let environment = Environment.process
        let notes = Output(environment)
        let command = self
        try CommandRunner.run(notes) { _ in
            let (range, path) = try command.arguments()
            guard !(path == "-" && environment.outputIsTerminal) else {
                throw CommandFailure(.usage, "expected a file for the bytes, got a terminal", code: "usage.noOutput")
            }
            guard !(path == "-" && command.loader.json) else {
                throw CommandFailure(.usage, "--json and -o - contradict each other", code: "usage.noOutput")
            }
            let form = try DataFile.form(of: path)
            try NewFile.checkFolder(of: path)
            let address = try await command.port.address(environment, notes)
            return try await BoardSessions([address], command.loader, environment, notes).run { session in
                try await Self.read(range, path, form, session, notes)
                return .passed
            }
        }
    }

    private func arguments() throws(CommandFailure) -> (FlashRange, String) {
        if let output { return (try FlashRange(words), output) }
        // The file may follow the range, as in esptool; a number is part of the range.
        guard let last = words.last, words.count > 1, !FlashAddress.isNumber(last) else {
            throw CommandFailure(.usage, "expected a file for what is read: -o FILE", code: "read.noOutput")
        }
        return (try FlashRange(words.dropLast()), last)
    }

    private static func read(
        _ range: FlashRange, _ path: String, _ form: DataFile.Form, _ session: borrowing BoardSession,
        _ output: Output
    ) async throws {
        try session.board.checkPermits("reading the flash")
        let addresses = try await range.addresses(in: session)
        let reporter = session.reporter
        let start = UInt32(addresses.lowerBound)
        reporter.phase("reading", "reading \(addresses.count) bytes at 0x\(String(start, radix: 16))")
        let bytes = try await session.flasher.read(addresses, of: session.board) { done in
            reporter.progress(
                "reading", region: "flash", address: start, title: "reading", done: done, of: addresses.count)
        }
        if path == "-" {
            output.data(bytes)
        } else {
            let region = FlashLayout.Region(name: "flash", offset: start, bytes: bytes)
            let content = try form == .hex ? Array(IntelHex.text(FlashLayout([region])).utf8) : bytes
            try ReportFile.write(content, to: path, option: "--output", output)
        }
        reporter.succeeded("read and verified \(bytes.count) bytes\(path == "-" ? "" : " into \(path)")") { event in
            (event.file, event.total, event.address) = (path, bytes.count, start)
        }
    }
}
