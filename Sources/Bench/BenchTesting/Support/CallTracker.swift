import Bench
import BenchExecutor
import BenchModel
import Synchronization
import Testing

/// Records the calls of a test that are in progress on its bench, and the end of the bench's use.
final class CallTracker: Sendable {
    private struct State {
        var session: BenchSession?
        var calls: [Int: SourceLocation] = [:]
        var lastCall = 0
        var isClosed = false
        /// True if a call has thrown the crash of the firmware, so that the body has received it.
        var isCrashReported = false
        /// The call in progress when the body was to end early.
        var interrupted: SourceLocation?
    }

    private let state = Mutex(State())

    /// Sets the session on which calls are made.
    func begin(_ session: BenchSession) {
        state.withLock { $0.session = session }
    }

    /// Adds a call; `nil` when the bench is no longer in use.
    func add(_ sourceLocation: SourceLocation) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastCall += 1
            state.calls[state.lastCall] = sourceLocation
            return state.lastCall
        }
    }

    /// Removes a call that has ended.
    func remove(_ call: Int) {
        state.withLock { $0.calls[call] = nil }
    }

    /// True if a call has thrown the crash of the firmware.
    var isCrashReported: Bool { state.withLock(\.isCrashReported) }

    /// Records that a call throws the crash of the firmware.
    func reportCrash() {
        state.withLock { $0.isCrashReported = true }
    }

    /// True if a call is in progress.
    var isInUse: Bool { state.withLock { !$0.calls.isEmpty } }

    /// Ends the use of the bench; returns the oldest call in progress.
    @discardableResult
    func close() -> SourceLocation? {
        state.withLock { state in
            state.isClosed = true
            return state.calls.min { $0.key < $1.key }?.value
        }
    }

    /// Ends the operation in progress, on the bench's executor.
    func interrupt() {
        let session: BenchSession? = state.withLock { state in
            state.interrupted = state.calls.min { $0.key < $1.key }?.value
            return state.session
        }
        session?.assumeIsolated { $0.interrupt() }
    }

    /// Switches off the boards of an abandoned body, on the bench's executor, so that their firmware ends.
    func abandon() {
        close()
        for board in state.withLock({ $0.session })?.bench.boards ?? [] {
            try? board.board.assumeIsolated { try $0.cutPower() }
        }
    }

    /// The failure of a body that was ended early, at the call in progress; `nil`: its test was cancelled.
    func failure(
        of failure: BenchExecutor.Failure?, timeLimit: Duration, at sourceLocation: SourceLocation
    ) -> any Error {
        let (session, place) = state.withLock { ($0.session, $0.interrupted) }
        guard let session else { return failure.map { $0 as any Error } ?? CancellationError() }
        let whereTo = place == nil ? "outside the bench" : "in this call"
        let got =
            switch failure {
            case .deadlock?:
                "it waits \(whereTo) for an event that cannot occur: nothing else is scheduled on the bench"
            case .timeLimitExceeded?:
                place == nil
                    ? "after \(timeLimit.brief) on the bench's clock it waited for something that is not on the bench, "
                        + "such as Task.sleep: bench.advance(by:) lets the bench's time pass, bench.waitElsewhere stops it"
                    : "after \(timeLimit.brief) on the bench's clock this call still waited"
            case nil: "its test was cancelled, or its time was up, and it went on waiting \(whereTo)"
            }
        return TestFailure(
            BenchFailure(.benchFault, expected: "the body of withBench to end", got: got), session,
            place ?? sourceLocation)
    }
}
