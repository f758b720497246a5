import Synchronization

/// Asks a command to end its work early, with what is known so far.
package final class Interruption: Sendable {
    private struct State {
        var reason: String?
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Why the work is to end; `nil` while it may go on.
    package var reason: String? { state.withLock { $0.reason } }

    /// Asks for the end, for this reason; the first one counts. Safe from any thread.
    package func request(_ reason: String) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            return state.action.take()
        }
        action?()
    }

    /// Says how the work of now is ended, once, on any thread; at once when the end was asked for already. Replaces
    /// the former action.
    package func whenRequested(_ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.action = state.reason == nil ? action : nil
            return state.reason != nil
        }
        if isDue { action() }
    }

    /// Does `body`, which a request cancels.
    func cancelling<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let (requests, continuation) = AsyncStream.makeStream(of: Never.self)
        whenRequested { continuation.finish() }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in requests {}
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }
}
