import ArgumentParser
import ESPFlasher
import SerialPort

/// `espbench erase`.
struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase a board's flash: all of it, a partition, or a range.",
        discussion: """
            'espbench erase nvs' makes the board forget its settings and bonds. Ranges begin and end at sectors of \
            0x1000 bytes. All of the flash is erased only after a question on the terminal, or with --yes.
            """,
        aliases: ["erase-flash", "erase-region"])

    @Flag(name: .shortAndLong, help: "Erase all of the flash without a question.")
    var yes = false

    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(help: ArgumentHelp(FlashRange.help, valueName: "range"))
    var words: [String] = []

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { _ in
            let range = try FlashRange(command.words)
            let addresses = try await command.ports.addresses(environment, output)
            if case .whole = range, !command.yes {
                try Self.ask(addresses.map(\.text), environment, output)
            }
            return try await BoardSessions(addresses, command.loader, environment, output).run { session in
                try await Self.erase(range, session)
            }
        }
    }

    /// - Throws: ``CommandFailure`` unless the user agrees.
    private static func ask(_ ports: [String], _ environment: Environment, _ output: Output) throws(CommandFailure) {
        let what = "all of the flash on \(ports.joined(separator: ", "))"
        guard environment.errorIsTerminal, RawTerminal.isInForeground else {
            throw CommandFailure(.usage, "erasing \(what) needs --yes", code: "erase.needsYes")
        }
        output.prompt("Erase \(what)? Type yes: ")
        guard readLine()?.lowercased() == "yes" else {
            throw CommandFailure(.interrupted, "nothing was erased", code: "erase.declined")
        }
    }

    private static func erase(_ range: FlashRange, _ session: borrowing BoardSession) async throws {
        let (flasher, board, reporter) = (session.flasher, session.board, session.reporter)
        let addresses: Range<UInt64>
        if case .whole = range, board.flashSize == nil {
            addresses = 0..<0
        } else {
            addresses = try await range.addresses(in: session)
            try flasher.checkErase(addresses, of: board)
        }
        let start = UInt32(truncatingIfNeeded: addresses.lowerBound)
        reporter.phase("erasing", "erasing \(addresses.count) bytes at 0x\(String(start, radix: 16))")
        if case .whole = range {
            session.extent.beginErase()
            try await flasher.eraseFlash(of: board)
        } else {
            let extent = session.extent
            try await flasher.erase(addresses, of: board) { done in
                extent.beginErase()
                reporter.progress(
                    "erasing", region: "flash", address: start, title: "erasing", done: done, of: addresses.count)
            }
        }
        reporter.succeeded("erased \(addresses.count) bytes") { event in
            (event.total, event.address) = (addresses.count, start)
        }
    }
}
