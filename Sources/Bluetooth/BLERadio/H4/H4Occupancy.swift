import BenchExecutor
import MonotonicTime
import Synchronization

/// Admits one host at a time to the controller of an ``H4Server`` that has only one.
///
/// A host that reconnects may be here before the end of its former connection is known: it waits for that for a while.
final class H4Occupancy: Sendable {
    private struct State {
        var isTaken = false
        var isClosed = false
        /// Hosts that wait, in order, by number.
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var count = 0
    }

    private let executor: BenchExecutor
    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameter patience: how long a host waits at most.
    init(_ executor: BenchExecutor, patience: Duration) {
        self.executor = executor
        self.patience = patience
    }

    /// Takes the controller; waits for it if it is taken.
    ///
    /// - Returns: whether the host has it; then ``leave()`` must follow.
    func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                guard state.isTaken, !state.isClosed else {
                    continuation.resume(returning: !state.isClosed)
                    state.isTaken = true
                    return nil
                }
                state.count += 1
                state.waiting.append((state.count, continuation))
                return state.count
            }
            guard let number else { return }
            executor.schedule(at: executor.now.advanced(by: patience)) { self.refuse(number) }
        }
    }

    /// Frees the controller for the next host.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    /// Refuses all hosts that wait, and all that come.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for host in waiting { host.continuation.resume(returning: false) }
    }

    private func refuse(_ number: Int) {
        let refused = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        refused?.resume(returning: false)
    }
}
