/// The loop of an executor as one of its own jobs.
///
/// The concurrency runtime compares the executor of the running job with that of an actor first; outside of jobs it
/// searches, which costs more than most events. Within this job, the actions of events are isolated at no cost.
///
/// SAFETY: the job runs on the thread that creates it, which waits for its end: the loop and its result are used by no
/// other thread, and the loop does not outlive the call that passed it.
final class LoopJob<Result>: @unchecked Sendable {
    private let loop: () throws -> Result
    /// The loop's result; `nil` until it has ended.
    private(set) var result: Swift.Result<Result, any Error>?

    init(_ loop: @escaping () throws -> Result) {
        self.loop = loop
    }

    /// Enqueues the job; called on the executor's thread.
    func enqueue(on executor: BenchExecutor) {
        LoopActor(executor).assumeIsolated { $0.enqueue { self.result = Swift.Result { try self.loop() } } }
    }
}

/// Isolates the loop of an executor to that executor.
private actor LoopActor {
    private let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func enqueue(_ body: @escaping @Sendable () -> Void) {
        // The task is isolated to this actor because it captures it.
        Task {
            _ = self
            body()
        }
    }
}
