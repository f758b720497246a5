public import MonotonicTime
import Synchronization

/// The clock of a ``BenchExecutor``, for async code that takes a `Clock`.
public struct BenchClock: Clock, Sendable {
    /// The executor that provides the time.
    public let executor: BenchExecutor

    /// A clock with the time of `executor`.
    public init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    /// The current instant.
    public var now: MonotonicInstant { executor.now }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends until `deadline`; `tolerance` is not used.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: MonotonicInstant, tolerance: Duration? = nil) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                executor.schedule(at: deadline) { sleeper.finish(.success(())) }
            }
        } onCancel: {
            sleeper.finish(.failure(CancellationError()))
        }
    }
}

/// One sleep: resumes its continuation exactly once, at the deadline or on cancellation.
private final class Sleeper: Sendable {
    private enum State {
        case idle
        case sleeping(CheckedContinuation<Void, any Error>)
        case finished
    }

    private let state = Mutex(State.idle)

    /// Returns whether the sleep may start; if it was cancelled before, resumes with `CancellationError`.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let wasCancelled = state.withLock { state in
            if case .finished = state { return true }
            state = .sleeping(continuation)
            return false
        }
        if wasCancelled { continuation.resume(throwing: CancellationError()) }
        return !wasCancelled
    }

    func finish(_ result: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            defer { state = .finished }
            if case .sleeping(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
}

/// Keeps at most one scheduled event for an owner whose next deadline changes: wakes a pure state machine that has a
/// `nextDeadline`.
public struct Alarm: Sendable {
    private let executor: BenchExecutor
    private var scheduled: (deadline: MonotonicInstant, event: BenchExecutor.Event)?
    private var action: BenchExecutor.Action?

    /// An alarm that is not set.
    public init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    /// Sets the alarm to `deadline` (`nil`: off).
    ///
    /// - Parameter makeAction: the action, which must call ``fired()`` first. It is made once, for the first deadline:
    ///   an owner sets its alarm several times per packet.
    public mutating func set(
        _ deadline: MonotonicInstant?, _ makeAction: @autoclosure () -> @Sendable () -> Void
    ) {
        if scheduled?.deadline == deadline { return }
        if let scheduled { executor.cancel(scheduled.event) }
        scheduled = nil
        guard let deadline else { return }
        let action = action ?? BenchExecutor.Action(run: makeAction())
        self.action = action
        scheduled = (deadline, executor.schedule(at: deadline, action))
    }

    /// Switches the alarm off.
    public mutating func cancel() {
        if let scheduled { executor.cancel(scheduled.event) }
        scheduled = nil
    }

    /// Marks the alarm as not set: its event has run.
    public mutating func fired() {
        scheduled = nil
    }
}
