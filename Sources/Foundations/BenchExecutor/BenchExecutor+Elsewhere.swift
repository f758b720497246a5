import Synchronization

extension BenchExecutor {
    /// The executor of the body that the task belongs to.
    @TaskLocal static var current: BenchExecutor?

    /// Runs `body`, which waits for something outside of the bench's executor: another thread, an actor, a process.
    ///
    /// Virtual time does not advance until `body` returns, and waiting is no deadlock. Otherwise virtual time would
    /// depend on the machine's speed. `body` must not wait for the bench itself, which would block forever. Outside of
    /// a bench it only runs `body`.
    public nonisolated(nonsending) static func waitElsewhere<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let current, current.isIsolatingCurrentContext() == true else { return try await body() }
        current.state.withLock { $0.waitsElsewhere += 1 }
        defer { current.state.withLock { $0.waitsElsewhere -= 1 } }
        return try await body()
    }
}
