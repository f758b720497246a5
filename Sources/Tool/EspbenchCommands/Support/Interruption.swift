import Synchronization

/// A request to end a command early.
package final class Interruption: Sendable {
    private struct State {
        var reason: String?
        var action: (@Sendable () -> Void)?
        var streams: [AsyncStream<Never>.Continuation] = []
        var lastWords: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The reason of the request; `nil` without a request.
    package var reason: String? { state.withLock { $0.reason } }

    /// Requests the end; only the first reason is kept. Safe from any thread.
    package func request(_ reason: String) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            return state.action.take()
        }
        action?()
        let streams = state.withLock { $0.streams }
        for stream in streams { stream.finish() }
    }

    /// Sets what is written if the command does not end after the request, and is aborted: each on a thread of its own.
    func setLastWords(_ words: [@Sendable () -> Void]) { state.withLock { $0.lastWords = words } }

    /// What is to be written now, once.
    package func takeLastWords() -> [@Sendable () -> Void] {
        state.withLock { state in
            defer { state.lastWords = [] }
            return state.lastWords
        }
    }

    /// A stream that ends with the request; any number of them.
    func requests() -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isDue = state.withLock { state in
            state.streams.append(continuation)
            return state.reason != nil
        }
        if isDue { continuation.finish() }
        return stream
    }

    /// Sets the action that ends the current work: called once, on any thread; at once if the end has been requested.
    /// Replaces the previous action.
    package func whenRequested(_ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.action = state.reason == nil ? action : nil
            return state.reason != nil
        }
        if isDue { action() }
    }

    /// Runs `body`; a request cancels it, and runs `action` while it ends.
    func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result, action: () async -> Void = {}
    ) async throws -> Result {
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
                await action()
            }
            throw CancellationError()
        }
    }
}
