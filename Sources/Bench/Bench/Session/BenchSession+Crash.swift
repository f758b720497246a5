import BenchExecutor
import BenchModel
public import Console
import MonotonicTime

/// The places in the source at which the firmware crashed.
extension BenchSession {
    /// The longest wait for a backtrace: the panic handler prints it at once, at the console's baud rate.
    private static let backtraceTime = Duration.seconds(1)

    /// Sets the resolver of code addresses of a board's firmware, for crashes.
    public func setSymbols(_ symbols: (any AddressResolver)?, of board: BoardID = .first) {
        boards[board.index].symbols = symbols
    }

    /// The backtrace of the crash in ``failure``, innermost frame first; empty without a backtrace or a known program.
    /// Waits until the board has printed the whole backtrace.
    public func crashFrames() async -> [CodeFrame] {
        guard let crash, crash.cause.isCrash, crash != interruption,
            let board = crashedBoard?.index, let symbols = boards[board].symbols
        else {
            return []
        }
        if !boards[board].backtrace.isComplete {
            let deadline = executor.now.advanced(by: Self.backtraceTime)
            await withCheckedContinuation { continuation in
                backtraceWait = PendingWait(continuation, on: executor, until: deadline, timeoutValue: ())
            }
            backtraceWait = nil
        }
        let addresses = boards[board].backtrace.addresses
        guard !addresses.isEmpty else { return [] }
        let frames = await BenchExecutor.waitElsewhere { await symbols.frames(at: addresses) }
        let all = zip(addresses, frames).flatMap { address, frames in
            frames.isEmpty ? [CodeFrame(address: address.value)] : frames
        }
        // A virtual board's watchdogs and kernel run on the stack of the task that they abort.
        let code = Array(all.drop(while: \.isOfVirtualChip))
        return code.isEmpty ? all : code
    }

    func receiveBacktrace(_ line: String, of board: BoardID) {
        boards[board.index].backtrace.receive(line)
        if boards[board.index].backtrace.isComplete, board == crashedBoard { backtraceWait?.resume(()) }
    }
}
