import Synchronization

/// The updates that wait for their listener: results replace older ones of the same round.
final class SearchUpdates: Sendable {
    private struct State {
        var waiting: [TimedSearch.Update] = []
        var listener: CheckedContinuation<TimedSearch.Update?, any Error>?
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    func post(_ update: TimedSearch.Update) {
        let listener = state.withLock { state -> CheckedContinuation<TimedSearch.Update?, any Error>? in
            guard state.end == nil else { return nil }
            if let listener = state.listener {
                state.listener = nil
                return listener
            }
            if case .heard? = state.waiting.last { state.waiting.removeLast() }
            state.waiting.append(update)
            return nil
        }
        listener?.resume(returning: update)
    }

    func finish(_ error: (any Error)?) {
        let listener = state.withLock { state -> CheckedContinuation<TimedSearch.Update?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failure($0) } ?? .success(())
            defer { state.listener = nil }
            return state.listener
        }
        if let error { listener?.resume(throwing: error) } else { listener?.resume(returning: nil) }
    }

    func next() async throws -> TimedSearch.Update? {
        try await withCheckedThrowingContinuation { continuation in
            let now = state.withLock { state -> Result<TimedSearch.Update?, any Error>? in
                if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
                if let end = state.end { return end.map { nil } }
                state.listener = continuation
                return nil
            }
            if let now { continuation.resume(with: now) }
        }
    }
}
