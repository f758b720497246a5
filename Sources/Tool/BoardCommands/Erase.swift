import ArgumentParser
import BoardConsole
import CommandSupport
import ESPFlasher
import SerialPort

/// `espbench erase`.
struct Erase: BoardCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
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
        let (words, yes) = (words, yes)
        try run { _ in
            try FlashRange(words)
        } confirm: { range, addresses, environment, output in
            guard case .whole = range, !yes else { return }
            try Self.ask(addresses.map(\.text), environment, output)
        } body: { range, session, _ in
            try await Self.erase(range, session)
        }
    }

    /// - Throws: ``CommandFailure`` unless the user agrees.
    private static func ask(_ ports: [String], _ environment: Environment, _ output: Output) throws(CommandFailure) {
        let what = "all of the flash on \(ports.joined(separator: ", "))"
        guard environment.errorIsTerminal, RawTerminal.isInForeground else {
            throw CommandFailure(.usage, "erasing \(what) needs --yes", code: "erase.needsYes")
        }
        output.prompt("Erase \(what)? [y/N] ")
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
            throw CommandFailure(.interrupted, "nothing was erased", code: "erase.declined")
        }
    }

    private static func erase(_ range: FlashRange, _ session: borrowing BoardSession) async throws {
        let (flasher, board, reporter) = (session.flasher, session.board, session.reporter)
        if case .whole = range {
            // Address ranges can be erased in this mode, but the size of the flash cannot be determined.
            try board.checkPermits("erasing the whole flash")
            reporter.phase("erasing", "erasing the whole flash")
            session.extent.beginErase()
            try await flasher.eraseFlash(of: board)
            return reporter.succeeded("erased the whole flash") { event in
                (event.total, event.address) = (board.flashSize.map { Int($0) }, 0)
            }
        }
        let addresses = try await range.addresses(in: session)
        try flasher.checkErase(addresses, of: board)
        let start = UInt32(truncatingIfNeeded: addresses.lowerBound)
        reporter.phase("erasing", "erasing \(addresses.count) bytes at 0x\(String(start, radix: 16))")
        let extent = session.extent
        try await flasher.erase(addresses, of: board) { done in
            extent.beginErase()
            reporter.progress(
                "erasing", region: "flash", address: start, title: "erasing", done: done, of: addresses.count)
        }
        reporter.succeeded("erased \(addresses.count) bytes") { event in
            (event.total, event.address) = (addresses.count, start)
        }
    }
}
