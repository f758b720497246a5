import Dispatch
import Synchronization

/// A regular expression that is searched for in many lines, with at most one second of processor time per line.
///
/// A cheap search for text that every match contains rejects most lines. In the others, an expression with quantifiers
/// can take for ever, and Swift's `Regex` cannot be interrupted: the search runs on a separate thread, which is
/// abandoned when the search takes too long.
public final class LinePattern: Sendable {
    /// The answer for a line.
    public enum Answer: Hashable, Sendable {
        /// A part of the line matches: the text of the first group, or without groups all that matches.
        case found(String)
        case missing
        /// The search took too long.
        case abandoned
        /// Too many searches took too long: the expression is no longer searched for.
        case off
    }

    private struct State {
        /// Idle threads, each with its own compiled expression.
        var idle: [Worker] = []
        var running: [Search] = []
        var abandonedCount = 0
        var isStopped = false
    }

    /// The number of lines in which the limit may be exceeded: each keeps a processor busy until the program ends.
    private static let maximumAbandoned = 2

    /// The expression as it was given.
    public let text: String
    /// True if the search of a line ends soon, so that it needs no separate thread: an expression without quantifiers.
    public let isSimple: Bool
    private let regex: Mutex<Regex<AnyRegexOutput>>
    /// The texts at least one of which is in every match; empty if unknown.
    private let literals: [[UInt8]]
    private let isLiteral: Bool
    /// The processor time for a line, in nanoseconds.
    private let limit: UInt64
    private let state = Mutex(State())
    private let waiting = DispatchQueue(label: "waits for a pattern")

    /// Compiles `text`, in the syntax of Swift's `Regex`.
    ///
    /// - Throws: the compiler's error.
    public convenience init(_ text: String) throws { try self.init(text, limit: 1_000_000_000) }

    /// Compiles `text`; each line may take `limit` nanoseconds of processor time.
    package init(_ text: String, limit: UInt64) throws {
        self.text = text
        self.limit = limit
        regex = Mutex(try Regex(text))
        isSimple = !text.contains { "*+?{".contains($0) }
        literals = PatternLiterals.texts(of: text).map { Array($0.utf8) }
        isLiteral = literals == [Array(text.utf8)]
    }

    /// True if `line` contains a text that a match requires; cheap.
    public func mayMatch(_ line: String) -> Bool {
        literals.isEmpty || literals.contains { Self.contains($0, in: line) }
    }

    /// Searches a line, and waits for the answer.
    public func search(_ line: String) -> Answer {
        guard mayMatch(line) else { return .missing }
        if isLiteral { return .found(text) }
        if isSimple { return regex.withLock { Self.answer($0, line) } }
        var refusal = Answer.off
        let begun = state.withLock { state -> (search: Search, worker: Worker)? in
            if state.isStopped { refusal = .missing }
            guard !state.isStopped, state.abandonedCount < Self.maximumAbandoned,
                let worker = state.idle.popLast() ?? (try? Worker(text))
            else { return nil }
            let search = Search()
            state.running.append(search)
            return (search, worker)
        }
        guard let (search, worker) = begun else { return refusal }
        worker.queue.async {
            search.begin()
            let answer = worker.regex.withLock { Self.answer($0, line) }
            search.resolve(answer)
        }
        let answer = search.wait(limit: limit)
        state.withLock { state in
            state.running.removeAll { $0 === search }
            if answer == .abandoned {
                state.abandonedCount += 1
            } else if !state.isStopped {
                state.idle.append(worker)
            }
        }
        return answer
    }

    /// Searches a line.
    public func answer(_ line: String) async -> Answer {
        guard !isSimple, mayMatch(line) else { return search(line) }
        return await withCheckedContinuation { continuation in
            waiting.async { continuation.resume(returning: self.search(line)) }
        }
    }

    /// Ends running and later searches without an answer, which is no longer needed.
    public func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running
        }
        for search in running { search.resolve(.missing) }
    }

    private static func answer(_ regex: Regex<AnyRegexOutput>, _ line: String) -> Answer {
        guard let match = line.firstMatch(of: regex) else { return .missing }
        return .found(String(match.output.dropFirst().first?.substring ?? line[match.range]))
    }

    private static func contains(_ part: [UInt8], in line: String) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            guard let first = part.first, bytes.count >= part.count else { return false }
            for start in 0...(bytes.count - part.count) where bytes[start] == first {
                if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
            }
            return false
        }
    }

    /// A thread with the expression.
    private final class Worker: Sendable {
        let regex: Mutex<Regex<AnyRegexOutput>>
        let queue = DispatchQueue(label: "searches for a pattern")

        init(_ text: String) throws { regex = Mutex(try Regex(text)) }
    }

    /// A search that one thread performs, and another thread waits for.
    private final class Search: Sendable {
        private let answer = Mutex<Answer?>(nil)
        private let clock = Mutex<ThreadClock?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        /// Called on the thread that searches.
        func begin() { clock.withLock { $0 = ThreadClock() } }

        /// Sets the answer, if there is none.
        func resolve(_ new: Answer) {
            answer.withLock { $0 = $0 ?? new }
            isDone.signal()
        }

        /// The answer, or `abandoned` when the search has used `limit` nanoseconds of processor time: waiting for a
        /// processor, or while the program is stopped, does not count.
        func wait(limit: UInt64) -> Answer {
            var left = limit
            while isDone.wait(timeout: .now() + .nanoseconds(Int(left))) == .timedOut {
                let used = clock.withLock { $0?.elapsed } ?? 0
                if used >= limit { resolve(.abandoned) }
                left = max(limit / 20, limit - min(used, limit))
            }
            return answer.withLock { $0 } ?? .missing
        }
    }
}

/// Expressions that are compiled once and share their state: one that took too long is not searched for again.
public final class LinePatterns: Sendable {
    private let patterns = Mutex<[String: LinePattern]>([:])

    /// No expressions.
    public init() {}

    /// The compiled form of `text`.
    ///
    /// - Throws: the compiler's error.
    public func pattern(_ text: String) throws -> LinePattern {
        try patterns.withLock { patterns in
            if let pattern = patterns[text] { return pattern }
            let pattern = try LinePattern(text)
            patterns[text] = pattern
            return pattern
        }
    }
}
