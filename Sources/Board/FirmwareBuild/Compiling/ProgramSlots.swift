import Foundation

/// Lets only so many programs run at a time as the machine has processors, those of all builds of this process together:
/// many builds at once would else start so many compilers that each takes minutes, and the machine runs out of memory.
actor ProgramSlots {
    static let shared = ProgramSlots(max(2, ProcessInfo.processInfo.activeProcessorCount))

    private var free: Int
    /// Who waits, the first first.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    /// Runs `body` in one of the slots.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
