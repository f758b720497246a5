import BenchExecutor
import BenchModel
public import Console
import MonotonicTime

/// Where the firmware has crashed.
extension BenchSession {
    /// How long a backtrace is waited for: the panic handler prints it at once, at the console's baud rate.
    private static let backtraceTime = Duration.seconds(1)

    /// Gives the places of the firmware's code addresses, for crashes.
    public func setSymbols(_ symbols: (any AddressResolver)?) {
        self.symbols = symbols
    }

    /// The backtrace of the crash that ``failure`` is, innermost first; empty when there is none, or the firmware's
    /// program is not known. Lets the board print it to its end.
    public func crashFrames() async -> [CodeFrame] {
        guard let crash, crash.cause.isCrash, crash != interruption, let symbols else {
            return []
        }
        if !backtrace.isComplete {
            let deadline = executor.now.advanced(by: Self.backtraceTime)
            await withCheckedContinuation { continuation in
                backtraceWait = PendingWait(continuation, on: executor, until: deadline, timeoutValue: ())
            }
            backtraceWait = nil
        }
        let addresses = backtrace.addresses
        guard !addresses.isEmpty else { return [] }
        let frames = await BenchExecutor.waitElsewhere { await symbols.frames(at: addresses) }
        return zip(addresses, frames).flatMap { address, frames in
            frames.isEmpty ? [CodeFrame(address: address.value)] : frames
        }
    }

    func receiveBacktrace(_ line: String) {
        backtrace.receive(line)
        if backtrace.isComplete { backtraceWait?.resume(()) }
    }
}
