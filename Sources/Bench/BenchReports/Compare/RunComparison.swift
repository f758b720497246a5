import BenchModel
public import Foundation

/// Two runs of the same suites side by side, case by case.
///
/// Cases are paired by the names of suite and case. A case skipped because one bench lacks an ability is not a
/// difference; every other deviation is one.
public struct RunComparison: Sendable {
    /// The result of a case in one run.
    public enum Verdict: String, Sendable {
        /// All instances that ran passed.
        case passed
        /// At least one instance failed.
        case failed
        /// No instance ran.
        case skipped
    }

    /// The result of comparing a case in two runs.
    public enum Result: String, Sendable, CaseIterable {
        /// The verdicts are the same.
        case same
        /// The verdicts differ.
        case differs
        /// One bench lacks an ability that the case needs.
        case skipped
        /// Only the first run has the case.
        case onlyA
        /// Only the second run has the case.
        case onlyB
    }

    /// A case in one or both of the runs.
    public struct Case: Sendable {
        /// The suite's name.
        public var suite: String
        /// The case's name.
        public var name: String
        /// The case in the first run; `nil`: only the second run has it.
        public var a: RunReport.Case?
        /// The case in the second run; `nil`: only the first run has it.
        public var b: RunReport.Case?
        /// The result of the comparison.
        public var result: Result
        /// The difference, or a remark; empty: none.
        public var detail: String
    }

    /// The cases of the first run in their order, then the cases that only the second run has.
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

    /// The number of cases with this result.
    public func count(_ result: Result) -> Int { cases.count { $0.result == result } }

    /// True if no case differs; a case skipped for a missing ability does not count as different.
    public var isSame: Bool { cases.allSatisfy { $0.result == .same || $0.result == .skipped } }

    // MARK: Pairing

    private struct Key: Hashable {
        let suite: String
        let name: String
        /// The number of the case among cases with these names.
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

    /// Compares two runs that passed: their numbers of instances differ if a run was sampled or the suites differ.
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
    /// The result of the case.
    public var verdict: RunComparison.Verdict { failed > 0 ? .failed : passed > 0 ? .passed : .skipped }

    /// The reason for the skip.
    fileprivate var reason: String { skipReason ?? "for no reason that is known" }

    /// True if the case was skipped because the bench lacks an ability, not because of an event in the run.
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

extension RunComparison {
    /// The comparison as one JSON object with a line feed, as `Sources/Bench/RESULTS.md` describes it.
    public func json(_ a: Source, _ b: Source) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("version", 1)
            json.bool("isSame", isSame)
            for result in Result.allCases { json.integer(result.countKey, count(result)) }
            json.key("a")
            json.source(a)
            json.key("b")
            json.source(b)
            json.key("cases")
            json.array(cases) { json, entry in
                json.object { json in
                    json.string("suite", entry.suite)
                    json.string("name", entry.name)
                    json.string("result", entry.result.rawValue)
                    if !entry.detail.isEmpty { json.string("detail", entry.detail) }
                    json.run("a", entry.a)
                    json.run("b", entry.b)
                }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension RunComparison.Result {
    fileprivate var countKey: StaticString {
        switch self {
        case .same: "same"
        case .differs: "differ"
        case .skipped: "skipped"
        case .onlyA: "onlyA"
        case .onlyB: "onlyB"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func source(_ source: RunComparison.Source) {
        object { json in
            json.string("file", source.file)
            json.string("bench", source.report.run.bench)
            json.string("seed", source.report.seed)
            json.string("outcome", source.report.outcome)
        }
    }

    fileprivate mutating func run(_ key: StaticString, _ run: RunReport.Case?) {
        guard let run else { return }
        self.key(key)
        object { json in
            json.string("verdict", run.verdict.rawValue)
            json.integer("line", run.line)
            json.integer("passed", run.passed)
            json.integer("failed", run.failed)
            json.integer("skipped", run.skipped)
            if let reason = run.skipReason { json.string("skipReason", reason) }
        }
    }
}

extension RunComparison {
    /// A run and its file, for texts.
    public struct Source: Sendable {
        /// The file, as it was named.
        public var file: String
        /// The results in the file.
        public var report: RunReport

        /// The run in `file`.
        public init(file: String, report: RunReport) {
            self.file = file
            self.report = report
        }

        fileprivate var text: String {
            let hardware = report.run.hardware.map { ", board \($0.board), central \($0.central)" } ?? ""
            let ended =
                report.outcome == "passed" || report.outcome == "testsFailed" ? "" : ", ended: \(report.outcome)"
            return "\(file)  bench \(report.run.bench)\(hardware), seed \(report.seed)\(ended)"
        }
    }

    /// The comparison as text for people; with `showsSame` every case has a line, otherwise only cases that differ.
    public func text(_ a: Source, _ b: Source, showsSame: Bool, _ style: TerminalStyle) -> String {
        var text = Paragraph("A  \(a.text)", .faint).text(indent: 0, hanging: 3, style)
        text += Paragraph("B  \(b.text)", .faint).text(indent: 0, hanging: 3, style)
        var suite: String?
        for entry in cases where showsSame || entry.result != .same {
            if suite != entry.suite {
                text += Paragraph(entry.suite, .strong).text(indent: 0, hanging: 2, style)
                suite = entry.suite
            }
            text += line(entry).text(indent: 2, hanging: 4, style)
        }
        return text + "\n" + summary.text(indent: 0, hanging: 2, style)
    }

    private func line(_ entry: Case) -> Paragraph {
        var paragraph: Paragraph
        switch entry.result {
        case .same:
            paragraph = Paragraph("=", .good)
            paragraph.add(" \(entry.name)")
            paragraph.add("  \(entry.a?.verdict.rawValue ?? "")", .faint)
        case .differs: paragraph = Paragraph("≠ \(entry.name)", .bad)
        case .skipped:
            paragraph = Paragraph("-", .notable)
            paragraph.add(" \(entry.name)")
        case .onlyA: paragraph = Paragraph("≠ \(entry.name)  only in A", .bad)
        case .onlyB: paragraph = Paragraph("≠ \(entry.name)  only in B", .bad)
        }
        if !entry.detail.isEmpty { paragraph.add("  \(entry.detail)") }
        return paragraph
    }

    private var summary: Paragraph {
        var paragraph = Paragraph("\(count(.same).of("case")) the same", isSame ? .good : .plain)
        if count(.differs) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(.differs).grouped) different", .bad)
        }
        for (result, name) in [(Result.onlyA, "A"), (.onlyB, "B")] where count(result) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(result).grouped) only in \(name)", .bad)
        }
        if count(.skipped) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(.skipped).grouped) skipped in one since its bench lacks an ability", .notable)
        }
        return paragraph
    }
}

/// The parts of a run's results, as `espbench test --json` printed them, that a comparison needs.
public struct RunReport: Sendable, Decodable {
    /// The bench and firmware of the run.
    public struct Run: Sendable, Decodable {
        /// The bench's name.
        public var bench: String
        /// The hardware of the bench; `nil` for a virtual one.
        public var hardware: Hardware?
    }

    /// The hardware of a bench.
    public struct Hardware: Sendable, Decodable {
        /// The address of the board's port.
        public var board: String
        /// The address of the centrals' stack.
        public var central: String
        /// The factor by which time limits are longer than in suites.
        public var timeFactor: Double
        /// The maximum number of repetitions of a failed instance.
        public var retries: Int
    }

    /// A suite.
    public struct Suite: Sendable, Decodable {
        /// The suite's name.
        public var name: String
        /// The suite's cases.
        public var cases: [Case]
    }

    /// A case with its instances.
    public struct Case: Sendable, Decodable {
        /// The case's name, with its places.
        public var name: String
        /// The case's line in the suite's file.
        public var line: Int
        /// The number of passed instances.
        public var passed: Int
        /// The number of failed instances.
        public var failed: Int
        /// The number of instances that were not run.
        public var skipped: Int
        /// The number of instances that passed only when they were run again.
        public var retried: Int?
        /// Why instances were not run.
        public var skipReason: String?
        /// The number of instances from which the sample was drawn; `nil`: no sample.
        public var sampledFrom: Int?
        /// The failed instances.
        public var failures: [Failure]
    }

    /// A failed instance.
    public struct Failure: Sendable, Decodable {
        /// The instance's name.
        public var name: String
        /// The name of its cause.
        public var cause: String
        /// The expectation of its step.
        public var expected: String
        /// The event or value that occurred.
        public var got: String
    }

    /// The version of the format.
    public var version: Int
    /// The seed of the run.
    public var seed: String
    /// The bench and firmware of the run.
    public var run: Run
    /// The name of its exit code.
    public var outcome: String
    /// The suites that were run.
    public var suites: [Suite]

    private static let knownVersion = 1

    /// Reads the JSON object.
    ///
    /// - Throws: ``RunReportError`` when the bytes are not the results of a run.
    public init(json: Data) throws(RunReportError) {
        do {
            self = try JSONDecoder().decode(RunReport.self, from: json)
        } catch DecodingError.keyNotFound(let key, let context) {
            let path = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            throw RunReportError("no key '\(path)'")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw RunReportError(path.isEmpty ? "JSON that is not an object" : "'\(path)' of another type")
        } catch {
            throw RunReportError(json.isEmpty ? "no bytes" : "bytes that are not a JSON object")
        }
        guard version == Self.knownVersion else { throw RunReportError("version \(version)") }
    }
}

/// Bytes that are not the results of a run.
public struct RunReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The event or value that occurred instead.
    public let got: String

    init(_ got: String) { self.got = got }

    /// The error on one line.
    public var description: String { "expected the JSON object of 'espbench test --json', got \(got)" }
}
