import Synchronization

/// Calls that wait for the same event; each can be cancelled.
final class Waiters: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Waits for ``resumeAll()``, or for the end of the task; not at all if `isOver`.
    func wait(unless isOver: @escaping @Sendable () -> Bool) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                // Looked at when it can be resumed, so that no event is missed.
                if isOver() || state.withLock({ $0.cancelled.contains(id) }) { resume(id) }
            }
        } onCancel: {
            state.withLock { _ = $0.cancelled.insert(id) }
            resume(id)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    private func resume(_ id: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }

    /// Ends all waits.
    func resumeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }
}
