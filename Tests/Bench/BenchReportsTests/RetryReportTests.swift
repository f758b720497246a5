import BenchModel
import BenchReports
import Foundation
import MonotonicTime
import Testing

@Suite("Reports of cases that were run again")
struct RetryReportTests {
    private static let file = SampleResults.suite.file

    /// A case of one instance that passed at the second retry.
    private static let flaky: CaseResult = {
        var result = SampleResults.passed
        result.name = "pairs"
        result.counts = VerdictCounts()
        result.counts.passed = 1
        result.counts.retried = 1
        var first = SampleResults.failure
        first.got = "no notification"
        first.cause = .timedOut
        result.retried = [InstanceFailure(name: "pairs", failure: SampleResults.failure, after: [first])]
        return result
    }()

    /// A case of one instance that failed twice, the first time for its bench.
    private static let failed: CaseResult = {
        var result = SampleResults.failed
        result.counts = VerdictCounts()
        result.counts.failed = 1
        result.skipReason = nil
        var first = SampleResults.failure
        first.cause = .benchFault
        first.got = "the port was lost"
        result.failures[0].formerFailures = [first]
        return result
    }()

    private static let suite: SuiteResult = {
        var suite = SampleResults.suite
        suite.cases = [flaky, failed]
        return suite
    }()

    @Test("for people show every run, and count those that passed only then")
    func console() {
        let report = ConsoleReport(style: TerminalStyle(isColoured: false), rerun: RerunCommand(seed: 7))
        #expect(
            report.text(Self.flaky, file: "s.yaml") == """
                  ✓ pairs  passed, 2 retries  2 s
                    run 1 failed  s.yaml:23: expected a notification of output with 03 within 1 s, got no notification  timed out
                    run 2 failed  s.yaml:23: expected a notification of output with 03 within 1 s, got 04, after 12.5 ms  expectation not met

                """)
        let text = report.text(Self.failed, file: "s.yaml")
        #expect(text.contains("run again 1 time, and failed each time\n"), "\(text)")
        #expect(text.contains("before: got the port was lost\n"), "\(text)")
        let summary = report.summary([Self.suite], wallTime: .seconds(1))
        #expect(summary.contains("1 passed (1 only when run again), 1 failed in 1 suite"), "\(summary)")
    }

    @Test("as JSON have the failures of every run")
    func json() throws {
        let bytes = JSONReport(SampleResults.run).bytes(
            [Self.suite], wallTime: .zero, outcome: RunOutcome(name: "testsFailed", exitCode: 1, error: nil))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(object["retried"] as? Int == 1)
        let suites = try #require(object["suites"] as? [[String: Any]])
        let cases = try #require(suites.first?["cases"] as? [[String: Any]])
        let flaky = try #require((cases[0]["flaky"] as? [[String: Any]])?.first)
        #expect(flaky["name"] as? String == "pairs")
        let attempts = try #require(flaky["attempts"] as? [[String: Any]])
        #expect(attempts.map { $0["got"] as? String } == ["no notification", "04, after 12.5 ms"])
        #expect(attempts.allSatisfy { ($0["context"] as? [Any])?.count == 4 })
        let failure = try #require((cases[1]["failures"] as? [[String: Any]])?.first)
        #expect((failure["attempts"] as? [[String: Any]])?.map { $0["cause"] as? String } == ["benchFault"])
        #expect(cases[1]["retried"] == nil && cases[1]["flaky"] == nil)
    }

    @Test("as JUnit have the elements of Maven Surefire, also for single instances")
    func junit() throws {
        let text = JUnitTests.report([Self.suite])
        #expect(text.components(separatedBy: "<flakyFailure ").count == 3, "\(text)")
        #expect(
            text.contains(
                #"<flakyFailure message="pairs: expected a notification of output with 03 within 1 s, got no notification" type="timedOut"><stackTrace>pairs"#
            ), "\(text)")
        #expect(
            text.contains(
                #"<rerunError message="says it's 3: expected a notification of output with 03 within 1 s, got the port was lost" type="benchFault">"#
            ), "\(text)")
        #expect(text.contains(#"tests="2" failures="1" errors="0""#))
        var suite = Self.suite
        suite.cases = [Self.flaky]
        suite.cases[0].instances = [
            InstanceResult(name: "pairs", number: 3, verdict: .passed, started: .zero, ended: .zero)
        ]
        suite.cases[0].instances[0].formerFailures = [SampleResults.failure]
        let instances = JUnitTests.report([suite], JUnitOptions(listsInstances: true))
        #expect(instances.components(separatedBy: "<flakyFailure ").count == 2, "\(instances)")
    }

    @Test("as JUnit are read by junitparser", .enabled(if: JUnitParser.isInstalled, "\(JUnitParser.absence)"))
    func judge() throws {
        let read = try JUnitParser.read(JUnitTests.report([Self.suite]))
        #expect(read.contains("virtual.Calculator | pairs | 2.0"), "\(read)")
        #expect(read.contains("Failure | assertion | "), "\(read)")
    }

    @Test("name a bench on hardware, and what it multiplies and runs again")
    func hardware() throws {
        let report = ConsoleReport(style: TerminalStyle(isColoured: false), rerun: RerunCommand(seed: 7))
        var hardware = RunInformation.Hardware(board: "/dev/ttyUSB0", central: "bluez:hci0", timeFactor: 3, retries: 1)
        #expect(
            report.text(hardware, name: "desk")
                == "bench desk  board /dev/ttyUSB0, central bluez:hci0, time factor 3, at most 1 retry\n")
        hardware.timeFactor = 1.5
        hardware.retries = 0
        #expect(report.text(hardware, name: "desk").hasSuffix("time factor 1.5, no retries\n"))
        var run = SampleResults.run
        run.hardware = hardware
        let bytes = JSONReport(run).bytes(
            [], wallTime: .zero, outcome: RunOutcome(name: "passed", exitCode: 0, error: nil))
        #expect(
            String(decoding: bytes, as: UTF8.self).contains(
                #""hardware":{"board":"/dev/ttyUSB0","central":"bluez:hci0","timeFactor":1.5,"retries":0}"#))
    }
}
