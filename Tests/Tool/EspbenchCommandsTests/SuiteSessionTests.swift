import Bench
import BenchModel
import BenchReports
import BenchRuns
import BenchSuites
import CommandSupport
import EspbenchCommands
import Foundation
import MonotonicTime
import Synchronization
import Testing

@Suite("Sessions of suites")
struct SuiteSessionTests {
    private static let yaml = """
        suite: S
        sketch: Calculator
        cases:
          - {name: a, steps: [reset]}
        """

    /// Runs one suite whose result has a failure for each of `causes`.
    private func run(causes: [FailureCause], passed: Int = 1, isJSON: Bool = false, _ captured: CapturedOutput) throws
        -> ExitReason
    {
        let suites = try SuiteSession.read(["s.yaml"]) { _ in Self.yaml }
        let session = SuiteSession(
            output: captured.output(), Self.options, isJSON: isJSON, wallTime: { .zero })
        return try session.report { results in
            try session.runEach(suites, into: &results) { suite, recorder, _ in
                let result = Self.result(suite, causes, passed: passed)
                recorder.report(.suiteStarted(suite.information))
                for suiteCase in result.cases { recorder.report(.caseEnded(suiteCase, of: suite.information)) }
                recorder.report(.suiteEnded(result))
                return result
            }
        }
    }

    private static let options = RunOptions(run: RunInformation(seed: 3, bench: "virtual"))

    private static func result(_ suite: BenchSuites.Suite, _ causes: [FailureCause], passed: Int) -> SuiteResult {
        var result = CaseResult(name: "a", position: SourcePosition(line: 4, column: 5), started: .zero)
        result.counts.passed = passed
        result.counts.failed = causes.count
        result.failures = causes.map { cause in
            InstanceFailure(
                name: "a",
                failure: Failure(
                    cause: cause, position: SourcePosition(line: 4, column: 22), step: "reset", expected: "e",
                    got: "g", started: .zero, failed: .zero, context: []))
        }
        return SuiteResult(
            name: suite.name, file: suite.file, sketch: suite.sketch, run: options.run, cases: [result],
            started: .zero, ended: .zero)
    }

    @Test(
        "end with the exit code of the worst failure",
        arguments: [
            ([], .passed), ([.assertion], .testsFailed), ([.linkLost], .testsFailed), ([.hostStack], .testsFailed),
            ([.panic], .panic), ([.watchdog], .panic), ([.hang], .panic), ([.sanitizer], .panic),
            ([.assertion, .panic], .panic), ([.benchFault], .benchFault),
            ([.panic, .benchFault], .benchFault),
        ] as [([FailureCause], ExitReason)])
    func exitCodes(causes: [FailureCause], expected: ExitReason) throws {
        #expect(try run(causes: causes, CapturedOutput()) == expected)
    }

    @Test("without an executed case are failures")
    func nothingRan() {
        let failure = #expect(throws: CommandFailure.self) { try run(causes: [], passed: 0, CapturedOutput()) }
        #expect(failure?.status == .nothingRan)
        #expect(failure?.message == "no case was run")
    }

    @Test("print their report as data")
    func report() throws {
        let captured = CapturedOutput()
        _ = try run(causes: [], captured)
        #expect(captured.data == "S  s.yaml\n  ✓ a  0 ns\n\n1 passed in 1 suite · 0 ns of bench time in 0 ns\n")
        #expect(captured.notes.isEmpty)
    }

    @Test("print only JSON as data on request")
    func json() throws {
        let captured = CapturedOutput()
        _ = try run(causes: [.assertion], isJSON: true, captured)
        let object = try object(captured)
        #expect(object["failed"] as? Int == 1)
        #expect(object["outcome"] as? String == "testsFailed")
        #expect(object["exitCode"] as? Int == 1)
        #expect(object["error"] == nil)
        #expect(captured.notes.isEmpty)
    }

    private func object(_ captured: CapturedOutput) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(captured.data.utf8)) as? [String: Any])
    }

    @Test("print JSON for every outcome")
    func everyOutcome() throws {
        for status in ExitReason.allCases where status != .usage {
            let captured = CapturedOutput()
            let session = SuiteSession(
                output: captured.output(), Self.options, isJSON: true, wallTime: { .zero })
            #expect(throws: CommandFailure.self) {
                try session.report { _ in throw CommandFailure(status, "two\nlines", code: "suite.invalid") }
            }
            let object = try object(captured)
            #expect(object["outcome"] as? String == "\(status)")
            #expect(object["exitCode"] as? Int == Int(status.rawValue))
            #expect((object["suites"] as? [Any])?.isEmpty == true)
            let error = object["error"] as? [String: String]
            #expect(error?["message"] == "two\nlines")
            #expect(error?["hint"] == Hints.text(for: "suite.invalid"))
        }
    }

    @Test("that are interrupted report the results so far, with exit code 7")
    func interrupted() throws {
        let captured = CapturedOutput()
        let interruption = Interruption()
        let suites = try SuiteSession.read(["s.yaml", "t.yaml"]) { _ in Self.yaml }
        let session = SuiteSession(
            output: captured.output(), Self.options, isJSON: false, interruption: interruption, wallTime: { .zero })
        let failure = #expect(throws: CommandFailure.self) {
            try session.report { results in
                try session.runEach(suites, into: &results) { suite, _, _ in
                    #expect(suite.file == "s.yaml")
                    interruption.request("SIGTERM")
                    return Self.result(suite, [.assertion], passed: 1)
                }
            }
        }
        #expect(failure?.status == .interrupted)
        #expect(failure?.message.hasPrefix("interrupted by SIGTERM") == true)
        #expect(
            captured.data == """
                failed, and how to run it again:
                  s.yaml:4  a
                    espbench test s.yaml --seed 3 --case a

                1 passed, 1 failed in 1 suite · 0 ns of bench time in 0 ns

                """)
    }

    @Test("start only when every file is valid, and report all faults of all files")
    func faults() {
        let files = ["a.yaml": "suite: A\n", "b.yaml": "- x\n", "c.yaml": Self.yaml]
        let failure = #expect(throws: CommandFailure.self) {
            try SuiteSession.read(["a.yaml", "b.yaml", "c.yaml", "d.yaml"]) { (file) throws(CommandFailure) in
                guard let text = files[file] else { throw CommandFailure(.nothingRan, "\(file): no such file") }
                return text
            }
        }
        #expect(failure?.status == .nothingRan)
        #expect(
            failure?.message == """
                a.yaml:1:1: the suite lacks the key 'cases'
                b.yaml:1:1: expected a suite with keys (suite, sketch, boards, parts, tags, description, uuids, centrals, defaults, before, after, cases), got a list
                d.yaml: no such file
                """)
    }

    @Test("that are aborted report the suites and cases that are known, and complete their files")
    func aborted() throws {
        let captured = CapturedOutput()
        let interruption = Interruption()
        let outcomes = Mutex<[String]>([])
        let suites = try SuiteSession.read(["s.yaml", "t.yaml"]) { _ in Self.yaml }
        let session = SuiteSession(
            output: captured.output(), Self.options, isJSON: true, interruption: interruption, wallTime: { .zero })
        _ = try? session.report { results in
            try session.runEach(suites, into: &results) { suite, recorder, _ in
                let result = Self.result(suite, [.assertion], passed: 1)
                recorder.report(.suiteStarted(suite.information))
                for suiteCase in result.cases { recorder.report(.caseEnded(suiteCase, of: suite.information)) }
                if suite.file == "t.yaml" {
                    // It hangs here, and is aborted.
                    interruption.request("SIGTERM")
                    for write in interruption.takeLastWords() { write() }
                } else {
                    recorder.report(.suiteEnded(result))
                }
                return result
            }
        } finish: { outcome in
            outcomes.withLock { $0.append(outcome.name) }
        }
        // Once, though the run has ended after all.
        #expect(outcomes.withLock { $0 } == ["interrupted"])
        let object = try object(captured)
        #expect(object["outcome"] as? String == "interrupted")
        let files = (object["suites"] as? [[String: Any]])?.map { $0["file"] as? String }
        #expect(files == ["s.yaml", "t.yaml"])
        #expect(object["passed"] as? Int == 2)
    }
}
