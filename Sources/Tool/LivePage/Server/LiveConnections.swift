import Synchronization

/// The connections of a server, with their deadlines.
package final class LiveConnections: Sendable {
    private struct Entry {
        var deadline: Duration?
        /// Whether a request with the page's token has come over it.
        var isKnown = false
        var task: Task<Void, Never>?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
        var slotWaiter: CheckedContinuation<Void, Never>?
    }

    package let time: LiveTime
    private let limit: Int
    private let state = Mutex(State())

    /// At most `limit` connections at a time.
    package init(limit: Int, time: LiveTime) {
        self.limit = limit
        self.time = time
    }

    /// How many there are.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Returns when there may be another one. One caller at a time. Where all are taken, the oldest of those without the
    /// page's token makes room: strangers keep nobody out.
    package func waitForSlot() async {
        let stranger = state.withLock { state -> Task<Void, Never>? in
            guard state.entries.count >= limit else { return nil }
            return state.entries.filter { !$0.value.isKnown }.min { $0.key < $1.key }?.value.task
        }
        stranger?.cancel()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.entries.count < limit || Task.isCancelled { return true }
                    state.slotWaiter = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.slotWaiter.take() }?.resume()
        }
    }

    /// Runs `body`, which gets its number, until it returns, or a deadline of it has passed.
    package func start(_ body: @escaping @Sendable (Int) async -> Void) {
        let number = state.withLock { state in
            state.last += 1
            state.entries[state.last] = Entry()
            return state.last
        }
        let task = Task.detached {
            await body(number)
            self.remove(number)
        }
        let isOver = state.withLock { state in
            state.entries[number]?.task = task
            return state.entries[number] == nil
        }
        if isOver { task.cancel() }
    }

    private func remove(_ number: Int) {
        let waiter = state.withLock { state in
            state.entries[number] = nil
            return state.slotWaiter.take()
        }
        waiter?.resume()
    }

    /// Notes that a request with the page's token has come.
    package func setKnown(_ number: Int) { state.withLock { $0.entries[number]?.isKnown = true } }

    /// Sets how long a connection may take from now on; `nil`: for ever.
    package func setDeadline(_ limit: Duration?, of number: Int) {
        let deadline = limit.map { time.now() + $0 }
        state.withLock { $0.entries[number]?.deadline = deadline }
    }

    /// Ends the connections whose deadline has passed.
    package func endLate() {
        let now = time.now()
        let late = state.withLock { state in
            state.entries.values.filter { $0.deadline.map { $0 <= now } ?? false }.compactMap(\.task)
        }
        for task in late { task.cancel() }
    }

    /// Ends all connections; returns when they have ended.
    package func endAll() async {
        let tasks = state.withLock { $0.entries.values.compactMap(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
