import BenchModel
import Console
import MonotonicTime

/// A board of a session: its console, and how its firmware has crashed.
struct BoardState {
    /// What marks the board's own events; its name, where there are several boards.
    let source: String
    /// What marks the lines of its console; its name, where there are several boards.
    let consoleSource: String
    /// The board as failures name it: `the board`, or `'server'`.
    let words: String
    /// What failures add to something of the board: nothing, or ` of 'server'`.
    let ofBoard: String
    /// Its name, where there are several boards.
    let name: String?

    var lines = LineAssembler()
    /// The console line at which the power is to be cut.
    var cutLine: ConsolePattern?
    /// While a board is flashed its port speaks the bootloader's protocol.
    var isFlashing = false
    var crashes = CrashDetector()
    /// Whether a crash has been noticed since the firmware was last started on purpose.
    var hasCrashed = false
    /// The backtrace of a crash.
    var backtrace = BacktraceDecoder()
    /// Finds the places of a backtrace in the sketch's source, where its program is known.
    var symbols: (any AddressResolver)?

    /// A board, the only one or one of several.
    init(name: String, isOnly: Bool) {
        self.name = isOnly ? nil : name
        source = isOnly ? BenchBoard.onlyName : name
        consoleSource = isOnly ? "console" : name
        words = isOnly ? "the board" : "'\(name)'"
        ofBoard = isOnly ? "" : " of '\(name)'"
    }

    /// Its supply as failures name it: `the board's power`, or `the power of 'server'`.
    var power: String { name == nil ? "the board's power" : "the power\(ofBoard)" }

    /// Its console begins a new line: the board has no power, or starts again.
    mutating func restartConsole() {
        lines = LineAssembler()
    }
}

extension BenchSession {
    /// The name of a board, where there are several.
    public func name(of board: BoardID) -> String? { boards[board.index].name }

    /// Forgets what the board did so far, as it starts again. An only board's links start again as well, so that all is
    /// forgotten, but for what `isKept`.
    func forgetEvents(of board: BoardID, except isKept: ((any EventPayload) -> Bool)? = nil) {
        if boards.count == 1 {
            log.clear(except: isKept)
        } else {
            log.clear(board: board.index)
        }
    }

    /// The boards that have restarted by themselves, if there are some.
    var restarts: String? {
        let texts = boards.indices.compactMap { log.restarts(of: $0, boards[$0].words) }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
