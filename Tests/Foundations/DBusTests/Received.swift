import Synchronization

/// Messages that handlers received.
final class Received: Sendable {
    private let state = Mutex<(lines: [String], waiters: [(String, CheckedContinuation<Void, Never>)])>(([], []))

    var lines: [String] { state.withLock { $0.lines } }

    func add(_ line: String) {
        let waiters = state.withLock { state in
            state.lines.append(line)
            defer { state.waiters.removeAll { $0.0 == line } }
            return state.waiters.filter { $0.0 == line }
        }
        for (_, waiter) in waiters { waiter.resume() }
    }

    /// Waits for a line.
    func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.contains(line) { return true }
                state.waiters.append((line, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
