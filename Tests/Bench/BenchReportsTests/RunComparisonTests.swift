import BenchModel
import BenchReports
import Foundation
import MonotonicTime
import Testing

@Suite("The comparison of two runs")
struct RunComparisonTests {
    /// A case; `failures` are names of instances with their causes.
    private static func result(
        _ name: String, passed: Int = 0, skipped: String? = nil, failures: [(String, FailureCause)] = [],
        retried: Int = 0, sampledFrom: Int? = nil
    ) -> CaseResult {
        var result = CaseResult(name: name, position: SourcePosition(line: 4, column: 5), started: .zero)
        result.counts.passed = passed
        result.counts.failed = failures.count
        result.counts.skipped = skipped == nil ? 0 : 1
        result.counts.retried = retried
        result.skipReason = skipped
        result.sampledFrom = sampledFrom
        result.failures = failures.map { name, cause in
            var failure = SampleResults.failure
            failure.cause = cause
            return InstanceFailure(name: name, failure: failure)
        }
        return result
    }

    /// The run of a suite with these cases, as it is printed and read again.
    private static func report(_ cases: [CaseResult], bench: String = "virtual") throws -> RunReport {
        var suite = SampleResults.suite
        suite.cases = cases
        var run = SampleResults.run
        run.bench = bench
        let bytes = JSONReport(run).bytes(
            [suite], wallTime: .zero, outcome: RunOutcome(name: "passed", exitCode: 0, error: nil))
        return try RunReport(json: Data(bytes))
    }

    private static func compare(_ a: [CaseResult], _ b: [CaseResult]) throws -> RunComparison {
        RunComparison(try report(a), try report(b))
    }

    @Test("finds the same verdicts the same, also of samples and of cases that were run again")
    func same() throws {
        let comparison = try Self.compare(
            [
                Self.result("a", passed: 3), Self.result("b", passed: 65_536), Self.result("c", passed: 1),
                Self.result("d", skipped: "needs: power"), Self.result("e", failures: [("e", .panic)]),
            ],
            [
                Self.result("a", passed: 3), Self.result("b", passed: 5, sampledFrom: 65_536),
                Self.result("c", passed: 1, retried: 1), Self.result("d", skipped: "needs: power"),
                Self.result("e", failures: [("e", .panic)]),
            ])
        #expect(comparison.isSame)
        #expect(comparison.cases.map(\.result) == [.same, .same, .same, .same, .same])
        #expect(
            comparison.cases.map(\.detail) == [
                "", "65,536 instances in A, 5 instances in B", "in B 1 instance only when run again", "",
                "failed in both",
            ])
    }

    @Test("names the reason of a case that one bench cannot run, which is no difference")
    func skipped() throws {
        let comparison = try Self.compare(
            [Self.result("a", passed: 1), Self.result("b", skipped: "needs: servo measurement")],
            [Self.result("a", skipped: "needs: air control"), Self.result("b", passed: 1)])
        #expect(comparison.isSame && comparison.count(.skipped) == 2)
        #expect(
            comparison.cases.map(\.detail) == [
                "passed in A, skipped in B: needs: air control", "skipped in A: needs: servo measurement, passed in B",
            ])
    }

    private static let differing: [(CaseResult, CaseResult, String)] = [
        (
            result("a", passed: 1), result("a", failures: [("a", .timedOut)]),
            "passed in A, failed in B: a: expected a notification of output with 03 within 1 s, got 04, after 12.5 ms"
        ),
        (
            result("a", passed: 2, failures: [("a 3", .assertion)]), result("a", passed: 3),
            "1 of 3 instances failed in A, passed in B: a 3: expected a notification of output with 03 within 1 s, got 04, after 12.5 ms"
        ),
        (
            result("a", failures: [("a", .timedOut)]), result("a", failures: [("a", .linkLost)]),
            "both fail a: A for timedOut, B for linkLost"
        ),
        (
            result("a", failures: [("x", .timedOut)]), result("a", failures: [("y", .timedOut)]),
            "only A fails x: timedOut"
        ),
        (
            result("a", failures: [("x", .timedOut)]), result("a", failures: [("x", .timedOut), ("y", .suite)]),
            "only B fails y: suite"
        ),
        (
            result("a", passed: 1), result("a", skipped: "the run was interrupted"),
            "passed in A, skipped in B: the run was interrupted"
        ),
        (result("a", passed: 3), result("a", passed: 2), "passed: 3 instances in A, 2 instances in B"),
    ]

    @Test("names each difference", arguments: differing)
    func differences(a: CaseResult, b: CaseResult, detail: String) throws {
        let comparison = try Self.compare([a], [b])
        #expect(!comparison.isSame)
        #expect(comparison.cases.map(\.result) == [.differs])
        #expect(comparison.cases.map(\.detail) == [detail])
    }

    @Test("names cases that only one run has, and pairs those of one name in their order")
    func only() throws {
        let comparison = try Self.compare(
            [Self.result("a", passed: 1), Self.result("a", passed: 1), Self.result("b", passed: 1)],
            [Self.result("c", passed: 1), Self.result("a", passed: 1), Self.result("a", failures: [("a", .suite)])])
        #expect(!comparison.isSame)
        #expect(comparison.cases.map(\.name) == ["a", "a", "b", "c"])
        #expect(comparison.cases.map(\.result) == [.same, .differs, .onlyA, .onlyB])
    }

    @Test("is shown with both runs, the cases that differ, and their numbers")
    func text() throws {
        let a = try Self.report([
            Self.result("adds", passed: 3), Self.result("loses", passed: 1), Self.result("waits", passed: 1),
        ])
        let b = try Self.report(
            [
                Self.result("adds", passed: 3), Self.result("loses", skipped: "needs: air control"),
                Self.result("waits", failures: [("waits", .timedOut)]),
            ], bench: "desk")
        let comparison = RunComparison(a, b)
        let style = TerminalStyle(isColoured: false)
        let (sourceA, sourceB) = (
            RunComparison.Source(file: "v.json", report: a), RunComparison.Source(file: "d.json", report: b)
        )
        #expect(
            comparison.text(sourceA, sourceB, showsSame: false, style) == """
                A  v.json  bench virtual, seed 7
                B  d.json  bench desk, seed 7
                Calculator
                  - loses  passed in A, skipped in B: needs: air control
                  ≠ waits  passed in A, failed in B: waits: expected a notification of output with 03 within 1 s, got 04, after 12.5 ms

                1 case the same, 1 different, 1 skipped in one since its bench lacks an ability

                """)
        #expect(comparison.text(sourceA, sourceB, showsSame: true, style).contains("\n  = adds  passed\n"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(comparison.json(sourceA, sourceB))) as? [String: Any])
        #expect(json["isSame"] as? Bool == false)
        #expect(["same", "differ", "skipped", "onlyA", "onlyB"].map { json[$0] as? Int } == [1, 1, 1, 0, 0])
        let cases = try #require(json["cases"] as? [[String: Any]])
        #expect(cases.map { $0["result"] as? String } == ["same", "skipped", "differs"])
        #expect((cases[1]["b"] as? [String: Any])?["skipReason"] as? String == "needs: air control")
    }

    @Test(
        "refuses what is no result of a run",
        arguments: [
            ("", "no bytes"), ("x", "bytes that are not a JSON object"), ("[]", "JSON that is not an object"),
            (#"{"version":1}"#, "no key 'seed'"), (#"{"version":"1"}"#, "'version' of another type"),
            (#"{"version":2,"seed":"0","run":{"bench":"v"},"outcome":"passed","suites":[]}"#, "version 2"),
        ])
    func refuses(text: String, got: String) {
        let error = #expect(throws: RunReportError.self) { try RunReport(json: Data(text.utf8)) }
        #expect(error?.description == "expected the JSON object of 'espbench test --json', got \(got)")
    }
}
