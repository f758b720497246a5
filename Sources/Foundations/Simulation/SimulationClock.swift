public import MonotonicTime
import Synchronization

/// The clock of a ``Simulation``, for async code that takes a `Clock`.
public struct SimulationClock: Clock, Sendable {
    /// The executor whose time this is.
    public let simulation: Simulation

    /// A clock that shows the time of `simulation`.
    public init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    /// The current instant.
    public var now: MonotonicInstant { simulation.now }

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
                simulation.schedule(at: deadline) { sleeper.finish(.success(())) }
            }
        } onCancel: {
            sleeper.finish(.failure(CancellationError()))
        }
    }
}

/// One sleep: resumes its continuation exactly once, by time or by cancellation.
private final class Sleeper: Sendable {
    private enum State {
        case idle
        case sleeping(CheckedContinuation<Void, any Error>)
        case finished
    }

    private let state = Mutex(State.idle)

    /// Whether the sleep may start; resumes with a cancellation that came first.
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
