import MonotonicTime
import BenchExecutor
import Synchronization

/// A suspended step that resumes once: by what it waits for, by time, or by the board's crash.
final class PendingWait<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, Never>?
        var timer: BenchExecutor.Event?
    }

    private let executor: BenchExecutor
    private let state: Mutex<State>

    /// A step that resumes with `timeoutValue` at `deadline`.
    init(
        _ continuation: CheckedContinuation<Value, Never>, on executor: BenchExecutor, until deadline: MonotonicInstant,
        timeoutValue: Value
    ) {
        self.executor = executor
        state = Mutex(State(continuation: continuation))
        let timer = executor.schedule(at: deadline) {
            self.state.withLock { $0.timer = nil }
            self.resume(timeoutValue)
        }
        state.withLock { $0.timer = timer }
    }

    /// Resumes the step, if nothing has.
    func resume(_ value: Value) {
        let (continuation, timer) = state.withLock { ($0.continuation.take(), $0.timer.take()) }
        if let timer { executor.cancel(timer) }
        continuation?.resume(returning: value)
    }
}
