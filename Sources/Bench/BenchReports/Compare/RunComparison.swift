/// Two runs of the same suites side by side, case by case.
///
/// Cases are paired by the names of suite and case. A case that one bench lacks an ability for is skipped with that
/// reason, which is no difference; anything else that is not the same is one.
public struct RunComparison: Sendable {
    /// How one run ended a case.
    public enum Verdict: String, Sendable {
        /// All instances that ran passed.
        case passed
        /// At least one failed.
        case failed
        /// None ran.
        case skipped
    }

    /// How the runs of a case compare.
    public enum Result: String, Sendable, CaseIterable {
        /// The verdicts are the same.
        case same
        /// They are not.
        case differs
        /// One bench lacks what the case needs.
        case skipped
        /// Only the first run has it.
        case onlyA
        /// Only the second run has it.
        case onlyB
    }

    /// A case in one or both of the runs.
    public struct Case: Sendable {
        /// The suite's name.
        public var suite: String
        /// The case's name.
        public var name: String
        /// The case in the first run.
        public var a: RunReport.Case?
        /// The case in the second run.
        public var b: RunReport.Case?
        /// How they compare.
        public var result: Result
        /// What differs, or what else is to be known; empty: nothing.
        public var detail: String
    }

    /// The cases, in the order of the first run, then those of the second alone.
    public private(set) var cases: [Case] = []

    /// Compares two runs.
    public init(_ a: RunReport, _ b: RunReport) {
        var others = Self.keyed(b)
        for (key, suiteCase) in Self.keyed(a) {
            let index = others.firstIndex { $0.key == key }
            let other = index.map { others.remove(at: $0).suiteCase }
            cases.append(Self.compare(key, suiteCase, other))
        }
        for (key, suiteCase) in others { cases.append(Self.compare(key, nil, suiteCase)) }
    }

    /// How many cases compare so.
    public func count(_ result: Result) -> Int { cases.count { $0.result == result } }

    /// Whether nothing differs but for skips with their reason.
    public var isSame: Bool { cases.allSatisfy { $0.result == .same || $0.result == .skipped } }

    // MARK: Pairing

    private struct Key: Hashable {
        let suite: String
        let name: String
        /// Which of several with these names it is.
        let occurrence: Int
    }

    private static func keyed(_ report: RunReport) -> [(key: Key, suiteCase: RunReport.Case)] {
        var counts: [[String]: Int] = [:]
        return report.suites.flatMap { suite in
            suite.cases.map { suiteCase in
                counts[[suite.name, suiteCase.name], default: 0] += 1
                let occurrence = counts[[suite.name, suiteCase.name]] ?? 1
                return (Key(suite: suite.name, name: suiteCase.name, occurrence: occurrence), suiteCase)
            }
        }
    }

    // MARK: Verdicts

    private static func compare(_ key: Key, _ a: RunReport.Case?, _ b: RunReport.Case?) -> Case {
        let (result, detail) = outcome(a, b)
        return Case(suite: key.suite, name: key.name, a: a, b: b, result: result, detail: detail)
    }

    private static func outcome(_ a: RunReport.Case?, _ b: RunReport.Case?) -> (Result, String) {
        guard let a else { return (.onlyB, "") }
        guard let b else { return (.onlyA, "") }
        switch (a.verdict, b.verdict) {
        case (.skipped, .skipped): return (.same, a.skipReason == b.skipReason ? "" : reasons(a, b))
        case (.skipped, _): return (a.isExplained ? .skipped : .differs, "skipped in A: \(a.reason), \(b.summary) in B")
        case (_, .skipped): return (b.isExplained ? .skipped : .differs, "\(a.summary) in A, skipped in B: \(b.reason)")
        case (.passed, .passed): return compareCounts(a, b)
        case (.failed, .failed): return compareFailures(a, b)
        case (.passed, .failed), (.failed, .passed):
            return (.differs, "\(a.summary) in A, \(b.summary) in B: \((a.failures + b.failures).first?.text ?? "")")
        }
    }

    private static func reasons(_ a: RunReport.Case, _ b: RunReport.Case) -> String {
        "skipped in A: \(a.reason); skipped in B: \(b.reason)"
    }

    /// What there is to say of two runs that passed: other numbers of instances are one of sampling, or of other suites.
    private static func compareCounts(_ a: RunReport.Case, _ b: RunReport.Case) -> (Result, String) {
        let again = [("A", a), ("B", b)].compactMap { name, result in
            result.retried.map { "in \(name) \($0.of("instance")) only when run again" }
        }
        let isSampled = a.sampledFrom != nil || b.sampledFrom != nil
        let counts = "\(a.passed.of("instance")) in A, \(b.passed.of("instance")) in B"
        if a.passed != b.passed, !isSampled || a.skipped + b.skipped > 0 { return (.differs, "passed: \(counts)") }
        return (.same, ((a.passed == b.passed ? [] : [counts]) + again).joined(separator: "; "))
    }

    private static func compareFailures(_ a: RunReport.Case, _ b: RunReport.Case) -> (Result, String) {
        let (causesA, causesB) = (a.causes, b.causes)
        for (name, cause) in causesA.sorted(by: { $0.key < $1.key }) {
            guard let other = causesB[name] else { return (.differs, "only A fails \(name): \(cause)") }
            if other != cause { return (.differs, "both fail \(name): A for \(cause), B for \(other)") }
        }
        let rest = causesB.filter { causesA[$0.key] == nil }.min { $0.key < $1.key }
        if let rest { return (.differs, "only B fails \(rest.key): \(rest.value)") }
        return (.same, "failed in both")
    }
}

extension RunReport.Case {
    /// How it ended.
    public var verdict: RunComparison.Verdict { failed > 0 ? .failed : passed > 0 ? .passed : .skipped }

    /// Why it was skipped.
    fileprivate var reason: String { skipReason ?? "for no reason that is known" }

    /// Whether it was skipped for what the bench cannot do, and not for what happened in the run.
    fileprivate var isExplained: Bool { skipReason?.hasPrefix("needs: ") == true }

    fileprivate var summary: String {
        verdict == .failed && passed + failed > 1
            ? "\(failed.grouped) of \((passed + failed).of("instance")) failed" : verdict.rawValue
    }

    /// The causes of failures, by the instances' names.
    fileprivate var causes: [String: String] {
        Dictionary(failures.map { ($0.name, $0.cause) }) { first, _ in first }
    }
}

extension RunReport.Failure {
    fileprivate var text: String { "\(name): expected \(expected), got \(got)" }
}
