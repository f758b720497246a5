import Bench
import Foundation
import Synchronization

/// Limits how many benches of a kind run at a time: to the limit of the kind, or else to the number of processors.
/// Every test of a process may request a bench at once.
final class BenchSlots: Sendable {
    /// The slots of the process, since the tests of all suites share the processors.
    static let ofProcess = BenchSlots()

    /// True if the task has a slot: a bench within a bench needs no second slot, for which it could wait forever.
    @TaskLocal private static var hasSlot = false

    private struct State {
        var used: [String: Int] = [:]
        var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` when a slot is free.
    func withSlot<Result: Sendable>(
        of kind: BenchKind, _ body: () async throws -> Result
    ) async throws -> Result {
        if Self.hasSlot { return try await body() }
        let limit = kind.limit ?? max(2, ProcessInfo.processInfo.activeProcessorCount)
        await acquire(kind.name, limit)
        defer { release(kind.name) }
        // The test may have been cancelled while it waited.
        try Task.checkCancellation()
        return try await Self.$hasSlot.withValue(true) { try await body() }
    }

    private func acquire(_ kind: String, _ limit: Int) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                let used = state.used[kind, default: 0]
                if used < limit {
                    state.used[kind] = used + 1
                    return true
                }
                state.waiting[kind, default: []].append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func release(_ kind: String) {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            if state.waiting[kind, default: []].isEmpty {
                state.used[kind, default: 1] -= 1
                return nil
            }
            // The slot passes to the next waiting test.
            return state.waiting[kind, default: []].removeFirst()
        }
        next?.resume()
    }
}
