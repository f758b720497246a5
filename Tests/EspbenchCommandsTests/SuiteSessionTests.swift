import Bench
import BenchModel
import EspbenchCommands
import Foundation
import MonotonicTime
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
            output: captured.output(), seed: 3, caseName: nil, isJSON: isJSON, wallTime: { .zero })
        return try session.run(suites, TimelineRecorder()) { suite, _, options in
            let result = Self.result(suite, causes, passed: passed)
            options.onProgress(.suiteStarted(suite))
            for suiteCase in result.cases { options.onProgress(.caseEnded(suiteCase)) }
            options.onProgress(.suiteEnded(result))
            return result
        }
    }

    private static func result(_ suite: BenchModel.Suite, _ causes: [FailureCause], passed: Int) -> SuiteResult {
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
            name: suite.name, file: suite.file, sketch: suite.sketch, seed: 3, cases: [result], started: .zero,
            ended: .zero)
    }

    @Test(
        "end with the exit code of the worst failure",
        arguments: [
            ([], .passed), ([.assertion], .testsFailed), ([.linkLost], .testsFailed), ([.hostStack], .testsFailed),
            ([.panic], .panic), ([.watchdog], .panic), ([.assertion, .panic], .panic), ([.benchFault], .benchFault),
            ([.panic, .benchFault], .benchFault),
        ] as [([FailureCause], ExitReason)])
    func exitCodes(causes: [FailureCause], expected: ExitReason) throws {
        #expect(try run(causes: causes, CapturedOutput()) == expected)
    }

    @Test("in which nothing ran are no success")
    func nothingRan() {
        let failure = #expect(throws: CommandFailure.self) { try run(causes: [], passed: 0, CapturedOutput()) }
        #expect(failure?.status == .nothingRan)
        #expect(failure?.message == "no case was run")
    }

    @Test("report as data")
    func report() throws {
        let captured = CapturedOutput()
        _ = try run(causes: [], captured)
        #expect(captured.data == "S  s.yaml\n  ✓ a  0 ns\n\n1 passed in 1 suite · 0 ns of bench time in 0 ns\n")
        #expect(captured.notes.isEmpty)
    }

    @Test("give JSON alone as data when asked")
    func json() throws {
        let captured = CapturedOutput()
        _ = try run(causes: [.assertion], isJSON: true, captured)
        let object = try JSONSerialization.jsonObject(with: Data(captured.data.utf8)) as? [String: Any]
        #expect(object?["failed"] as? Int == 1)
        #expect(captured.notes.contains("✗ a"))
    }

    @Test("begin only when every file is sound, and show all faults of all files")
    func faults() {
        let files = ["a.yaml": "suite: A\n", "b.yaml": "- x\n", "c.yaml": Self.yaml]
        let failure = #expect(throws: CommandFailure.self) {
            try SuiteSession.read(["a.yaml", "b.yaml", "c.yaml", "d.yaml"]) { files[$0] }
        }
        #expect(failure?.status == .nothingRan)
        #expect(
            failure?.message == """
                a.yaml:1:1: the suite lacks the key 'cases'
                a.yaml:1:1: the suite lacks the key 'sketch'
                b.yaml:1:1: expected a suite with keys (suite, sketch, uuids, centrals, defaults, before, after, cases), got a list
                d.yaml: the suite could not be read: expected a text file that you may read
                """)
    }

    @Test("without a suite say so")
    func none() {
        let failure = #expect(throws: CommandFailure.self) { try SuiteSession.read([]) { _ in nil } }
        #expect(failure?.status == .nothingRan)
        #expect(failure.flatMap { Hints.text(for: $0.code) } != nil)
    }
}
