internal import Console
import Dispatch
import Synchronization

/// Searches lines for an expression, each for about a second at most.
///
/// An expression with quantifiers can take for ever in a line, and Swift's `Regex` cannot be interrupted. It is searched
/// for on a thread of its own, which is abandoned when it takes too long.
final class LineSearch: Sendable {
    /// The answer for a line.
    enum Answer: Sendable {
        case found, missing
        /// The search took too long.
        case abandoned
        /// Too many searches took too long: the expression is not searched for any more.
        case off
    }

    private struct State {
        /// The thread of the searches, and its compiled expression; `nil`: the next search begins one.
        var worker: Worker?
        var number = 0
        var waiter: CheckedContinuation<Answer, Never>?
        var isWatched = false
        var abandonedCount = 0
        var isStopped = false
    }

    /// A thread with the expression.
    private final class Worker: Sendable {
        /// Locked while it is searched for.
        let pattern: Mutex<LinePattern>
        let queue = DispatchQueue(label: "monitor's search")

        init(_ text: String) throws {
            pattern = Mutex(try LinePattern(text))
        }
    }

    private static let limit = DispatchTimeInterval.seconds(1)
    private static let maximumAbandoned = 2

    /// The expression.
    let text: String
    /// Whether a line's search ends soon, so that it needs no thread: an expression without quantifiers.
    let isSimple: Bool
    private let pattern: Mutex<LinePattern>
    private let state = Mutex(State())

    /// A search for `text`.
    ///
    /// - Throws: the error of its compilation.
    init(_ text: String) throws {
        self.text = text
        pattern = Mutex(try LinePattern(text))
        isSimple = !text.contains { "*+?{".contains($0) }
    }

    /// Whether `line` may have a match; cheap.
    func mayMatch(_ line: String) -> Bool { pattern.withLock { $0.mayMatch(line) } }

    /// Searches a line. One search at a time.
    func answer(_ line: String) async -> Answer {
        if isSimple { return pattern.withLock { $0.matches(line) } ? .found : .missing }
        return await withCheckedContinuation { begin(line, $0) }
    }

    /// Ends the search that runs, and those to come: the session is interrupted.
    func stop() {
        let waiter = state.withLock { state in
            state.isStopped = true
            return state.waiter.take()
        }
        waiter?.resume(returning: .missing)
    }

    private func begin(_ line: String, _ waiter: CheckedContinuation<Answer, Never>) {
        var refusal = Answer.off
        let started = state.withLock { state -> (worker: Worker, number: Int, watches: Bool)? in
            if state.isStopped { refusal = .missing }
            guard !state.isStopped, state.abandonedCount < Self.maximumAbandoned else { return nil }
            // Compiled again for a new thread: an expression is not shared.
            guard let worker = state.worker ?? (try? Worker(text)) else { return nil }
            state.worker = worker
            state.number += 1
            state.waiter = waiter
            defer { state.isWatched = true }
            return (worker, state.number, !state.isWatched)
        }
        guard let started else { return waiter.resume(returning: refusal) }
        if started.watches { watch(started.number) }
        started.worker.queue.async { [self] in
            let answer = started.worker.pattern.withLock { $0.matches(line) } ? Answer.found : .missing
            let waiter = state.withLock { $0.number == started.number ? $0.waiter.take() : nil }
            waiter?.resume(returning: answer)
        }
    }

    /// Gives up the search of this number if it still runs after the limit, or watches the one that runs then.
    private func watch(_ number: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.limit) { [self] in
            let (waiter, next) = state.withLock { state -> (CheckedContinuation<Answer, Never>?, Int?) in
                if state.waiter != nil, state.number != number { return (nil, state.number) }
                state.isWatched = false
                guard let waiter = state.waiter.take() else { return (nil, nil) }
                state.worker = nil
                state.abandonedCount += 1
                return (waiter, nil)
            }
            waiter?.resume(returning: .abandoned)
            if let next { watch(next) }
        }
    }
}
