import Synchronization

extension BenchExecutor {
    /// The executor whose body the task belongs to.
    @TaskLocal static var current: BenchExecutor?

    /// Runs `body`, which waits for something that the bench's executor does not run: another thread, an actor of one, a
    /// process.
    ///
    /// Virtual time stands until `body` returns, however long that takes, and its wait is no deadlock. Without this, time
    /// would go on meanwhile by as much as the machine is slow. So `body` must not wait for the bench itself, which would
    /// last for ever. Outside of a bench it only runs `body`.
    public nonisolated(nonsending) static func waitElsewhere<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let current, current.isIsolatingCurrentContext() == true else { return try await body() }
        current.state.withLock { $0.waitsElsewhere += 1 }
        defer { current.state.withLock { $0.waitsElsewhere -= 1 } }
        return try await body()
    }
}
