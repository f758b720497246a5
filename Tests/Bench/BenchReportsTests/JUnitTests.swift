import BenchModel
import BenchReports
import Foundation
import MonotonicTime
import Synchronization
import Testing

/// The file of a report in memory.
final class MemorySink: ReportSink {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }

    func replace(_ new: [UInt8], at offset: Int) {
        bytes.withLock { $0.replaceSubrange(offset..<offset + new.count, with: new) }
    }
}

@Suite("JUnit reports")
struct JUnitTests {
    static let passed = RunOutcome(name: "passed", exitCode: 0, error: nil)

    /// The report of a run with these suites, without the blanks at the ends of lines.
    static func report(
        _ suites: [SuiteResult], _ options: JUnitOptions = JUnitOptions(hostName: "ci-1"),
        _ outcome: RunOutcome = passed, rerun: RerunCommand? = nil
    ) -> String {
        let sink = MemorySink()
        let report = JUnitReport(SampleResults.run, options, rerun: rerun, to: sink)
        for suite in suites {
            let information = SuiteInformation(
                name: suite.name, file: suite.file, sketch: suite.sketch, boards: suite.boards,
                instanceCount: suite.counts.total, firmware: suite.firmware)
            report.receive(.suiteStarted(information))
            for result in suite.cases {
                for instance in result.instances { report.receive(.instanceEnded(instance)) }
                report.receive(.caseEnded(result, of: information))
            }
            report.receive(.suiteEnded(suite))
        }
        report.finish(outcome)
        #expect(!sink.text.contains(" >"))
        return sink.text.replacing(#/>\ +\n/#, with: ">\n")
    }

    @Test("have the NimBLE and the sanitizers of the sketch among a suite's properties")
    func firmware() {
        var suite = Self.suite(Self.failure(.assertion))
        #expect(!Self.report([suite]).contains("nimble"))
        suite.firmware = FirmwareInformation(nimble: "NimBLE-Arduino 2.5.1 (library)", isSanitized: true)
        let report = Self.report([suite])
        #expect(report.contains(#"<property name="nimble" value="NimBLE-Arduino 2.5.1 (library)"/>"#), "\(report)")
        #expect(report.contains(#"<property name="sanitized" value="true"/>"#), "\(report)")
    }

    /// A run with one failure of one instance.
    private static func suite(_ failure: Failure, name: String = "a") -> SuiteResult {
        var result = CaseResult(name: name, position: SourcePosition(line: 4, column: 5), started: .zero)
        result.counts.failed = 1
        result.failures = [InstanceFailure(name: name, failure: failure)]
        return SuiteResult(
            name: "S", file: "s.yaml", sketch: "S", run: SampleResults.run, cases: [result], started: .zero,
            ended: .zero)
    }

    private static func failure(_ cause: FailureCause, got: String = "g") -> Failure {
        Failure(
            cause: cause, position: SourcePosition(line: 5, column: 9), step: "read", expected: "e", got: got,
            started: .zero, failed: .zero, context: [])
    }

    @Test("name the boards of a suite with several, and each line's board")
    func severalBoards() {
        var failure = Self.failure(.panic, got: "a panic of 'client': Guru")
        failure.context = ["server", "client"].map {
            BenchEvent(time: .zero, source: $0, payload: ConsoleLineReceived("ready"))
        }
        var suite = Self.suite(failure)
        suite.boards = ["server", "client"].map { BoardInformation(name: $0, sketch: "Lamp") }
        let report = Self.report([suite])
        #expect(report.contains("<property name=\"board server\" value=\"Lamp\"/>\n"), "\(report)")
        #expect(report.contains("<system-out>server: ready\nclient: ready\n</system-out>"), "\(report)")
        #expect(report.contains("a panic of 'client': Guru"))
    }

    @Test("have a test suite for a suite and a test case for a case")
    func cases() {
        let text = Self.report([SampleResults.suite])
        #expect(
            text.hasPrefix(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="espbench" tests="2" failures="1" errors="0" time="4.499">
                  <testsuite name="Calculator" file="Firmware/Calculator/Suites/calculator.yaml" \
                timestamp="2023-11-14T22:13:20" hostname="ci-1" tests="2" failures="1" errors="0" skipped="0" time="4.499">
                    <properties>
                      <property name="sketch" value="Calculator"/>
                      <property name="suite" value="Firmware/Calculator/Suites/calculator.yaml"/>
                      <property name="bench" value="virtual"/>
                      <property name="seed" value="7"/>
                      <property name="espbench" value="0.7.0"/>
                      <property name="run" value="r1"/>
                    </properties>
                    <testcase classname="virtual.Calculator" name="adds {a} and {b}" \
                file="Firmware/Calculator/Suites/calculator.yaml" line="12" time="2.000">
                      <system-out>65,536 cases passed
                </system-out>
                    </testcase>
                    <testcase classname="virtual.Calculator" name="says it's {a}" \
                file="Firmware/Calculator/Suites/calculator.yaml" line="20" time="2.498">
                      <failure type="assertion" message="1 of 4 cases failed: says it's 3: \
                expected a notification of output with 03 within 1 s, got 04, after 12.5 ms">
                """), "\(text)")
        // GitLab shows only the body, Jenkins also the output.
        let body = text.matches(of: #/(?s)<failure.*?>(.*)<\/failure>/#).first?.1 ?? ""
        for part in ["expected a notification of output with 03", "got", "notification output 04", "2 cases skipped"] {
            #expect(body.contains(part) || body.contains(part.replacing("expected ", with: "expected  ")), "\(part)")
        }
        #expect(text.contains("<system-out>Adding:   01 02\n</system-out>"))
        #expect(text.hasSuffix("    </testcase>\n  </testsuite>\n</testsuites>\n"))
    }

    @Test("list each instance on request, with its line")
    func instances() {
        var suite = SampleResults.suite
        let position = SourcePosition(line: 20, column: 5)
        suite.cases[1].instances = [
            InstanceResult(
                name: "says it's 1", number: 1, position: position, verdict: .passed, started: .zero,
                ended: SampleResults.at(1_234_567_890)),
            InstanceResult(
                name: "says it's 3", number: 2, position: position, verdict: .failed(SampleResults.failure),
                started: .zero, ended: .zero),
            InstanceResult(
                name: "says it's 3", number: 0, verdict: .skipped(reason: "after 1 failure"), started: .zero,
                ended: .zero),
        ]
        let text = Self.report([suite], JUnitOptions(listsInstances: true))
        #expect(text.contains(#"tests="3" failures="1" errors="0" skipped="1" time="4.499""#))
        #expect(text.contains(#"name="says it's 1" file="\#(suite.file)" line="20" time="1.234"/>"#))
        #expect(text.contains(#"name="says it's 3" file="\#(suite.file)" line="20" time="0.000">"#))
        #expect(
            text.contains(
                #"name="says it's 3 (2)" file="\#(suite.file)" time="0.000">"# + "\n      "
                    + #"<skipped message="after 1 failure">after 1 failure</skipped>"#))
        #expect(!text.contains(#"name="says it's {a}""#))
    }

    @Test("show the times of an instance's events since it began, and the options of the run")
    func instanceTimes() {
        var suite = SampleResults.suite
        suite.cases[1].instances = [
            InstanceResult(
                name: "says it's 3", number: 2, verdict: .failed(SampleResults.failure),
                started: SampleResults.at(3_998_000_000), ended: SampleResults.at(4_012_500_000))
        ]
        for listsInstances in [false, true] {
            let text = Self.report(
                [suite], JUnitOptions(listsInstances: listsInstances),
                rerun: RerunCommand(options: ["--bench", "b"], seed: 7))
            #expect(text.contains("\n    0.012000  console  Adding:   01 02\n"), "\(text)")
            #expect(text.contains("calculator.yaml --bench b --seed 7 --case "), "\(text)")
        }
    }

    @Test(
        "tell errors from failures",
        arguments: [
            (.assertion, "failure"), (.timedOut, "failure"), (.suite, "error"), (.linkLost, "failure"),
            (.hostStack, "failure"), (.panic, "error"),
            (.watchdog, "error"), (.hang, "error"), (.sanitizer, "error"), (.benchFault, "error"),
        ] as [(FailureCause, String)])
    func errors(cause: FailureCause, element: String) {
        let text = Self.report([Self.suite(Self.failure(cause))])
        #expect(text.contains(#"<\#(element) type="\#(cause.rawValue)" message="a: expected e, got g">"#))
        #expect(text.contains(element == "error" ? #"failures="0" errors="1""# : #"failures="1" errors="0""#))
    }

    @Test("contain no characters that XML excludes, and no colours of a console")
    func characters() {
        let got = "\u{1B}[0;31mE (1) <&>\"\u{1B}[0m\u{7}\u{0}\r\n\tä🙂\u{FFFE}\u{1B}"
        let text = Self.report([Self.suite(Self.failure(.assertion, got: got), name: "a\"<b>\n")])
        #expect(text.contains("got E (1) &lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}&#13;&#10;&#9;ä🙂\u{FFFD}\u{FFFD}\""))
        #expect(text.contains(#"name="a&quot;&lt;b&gt;&#10;""#))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }

    @Test("give each test case a name of its own")
    func names() {
        var suite = SampleResults.suite
        suite.cases = [SampleResults.passed, SampleResults.passed, SampleResults.passed]
        suite.cases[2].name += " (2)"
        suite.name = "v1.2"
        let text = Self.report([suite, suite])
        let names = text.matches(of: #/classname="([^"]*)" name="([^"]*)"/#).map { "\($0.1) \($0.2)" }
        #expect(
            names
                == ["virtual.v1_2", "virtual.v1_2 (2)"].flatMap { name in
                    ["adds {a} and {b}", "adds {a} and {b} (2)", "adds {a} and {b} (2) (2)"].map { "\(name) \($0)" }
                })
    }

    @Test("attach a file to failures, and name files as their reader finds them")
    func attachment() {
        let options = JUnitOptions(attachment: "out/t.jsonl", sourcePath: { "firmware/" + $0 })
        let text = Self.report([Self.suite(Self.failure(.assertion))], options)
        #expect(text.contains("<system-out>[[ATTACHMENT|out/t.jsonl]]\n</system-out>"))
        #expect(text.contains(#"file="firmware/s.yaml" line="4""#))
        #expect(text.contains(#"<property name="suite" value="s.yaml"/>"#))
    }

    @Test("show what kept a run from its end as an error")
    func faults() {
        let hint = RunOutcome.Fault(message: "interrupted by SIGINT\nmore", hint: "Do it again.")
        let interrupted = Self.report(
            [SampleResults.suite], JUnitOptions(), RunOutcome(name: "interrupted", exitCode: 7, error: hint))
        #expect(interrupted.contains(#"<testsuites name="espbench" tests="3" failures="1" errors="1""#))
        #expect(
            interrupted.contains(
                #"<error type="interrupted" message="interrupted by SIGINT">interrupted by SIGINT"# + "\nmore\n"
                    + "hint: Do it again.\n</error>"))
        let faulty = RunOutcome.Fault(
            message: "a.yaml:4:5: x", hint: nil,
            diagnostics: [
                RunOutcome.Diagnostic(file: "a.yaml", position: SourcePosition(line: 4, column: 5), message: "x"),
                RunOutcome.Diagnostic(file: "b.yaml", position: nil, message: "no such file"),
                RunOutcome.Diagnostic(file: "a.yaml", position: SourcePosition(line: 9, column: 1), message: "y"),
            ])
        let text = Self.report([], JUnitOptions(), RunOutcome(name: "nothingRan", exitCode: 2, error: faulty))
        #expect(text.contains(#"tests="2" failures="0" errors="2" skipped="0""#))
        #expect(text.contains(#"<testcase classname="espbench" name="a.yaml" file="a.yaml" line="4" time="0.000">"#))
        #expect(text.contains(#"message="a.yaml:4:5: x">a.yaml:4:5: x"# + "\na.yaml:9:1: y\n</error>"))
        #expect(text.contains(#"message="b.yaml: no such file""#))
    }

    @Test("end a suite that was interrupted")
    func unended() {
        let sink = MemorySink()
        let report = JUnitReport(SampleResults.run, to: sink)
        report.receive(.suiteStarted(SuiteInformation(name: "S", file: "s.yaml", sketch: "S", instanceCount: 1)))
        report.finish(Self.passed)
        #expect(sink.text.hasSuffix("    </properties>\n  </testsuite>\n</testsuites>\n"))
    }

    @Test("are read by junitparser", .enabled(if: JUnitParser.isInstalled, "\(JUnitParser.absence)"))
    func judge() throws {
        var suite = SampleResults.suite
        suite.cases[1].failures[0].failure.got = "\u{1B}[1m<&>\u{1B}[0m ä"
        var skipped = SampleResults.passed
        skipped.name = "waits"
        skipped.counts = VerdictCounts()
        skipped.counts.skipped = 1
        skipped.skipReason = "needs: air control"
        suite.cases.append(skipped)
        let fault = RunOutcome.Fault(message: "interrupted by SIGINT", hint: nil)
        let read = try JUnitParser.read(
            Self.report(
                [suite], JUnitOptions(hostName: "ci-1", attachment: "t.jsonl"),
                RunOutcome(name: "interrupted", exitCode: 7, error: fault)))
        let lines = read.split(separator: "\n").map(String.init)
        for line in [
            "4 1 1 4.499", "Calculator 3 1 0 1 4.499 2023-11-14T22:13:20 ci-1 3", "seed 7",
            "virtual.Calculator | adds {a} and {b} | 2.0", "virtual.Calculator | waits | 2.0",
            "Skipped | None | 'needs: air control' | 'needs: air control'",
            "espbench 1 0 1 0 0.0 2023-11-14T22:13:20 ci-1 1",
            "Error | interrupted | 'interrupted by SIGINT' | 'interrupted by SIGINT\\n'",
            "out 'Adding:   01 02\\n[[ATTACHMENT|t.jsonl]]\\n'",
        ] {
            #expect(lines.contains(line), "\(line) in\n\(read)")
        }
        #expect(read.contains("Failure | assertion | \"1 of 4 cases failed: says it's 3: expected "), "\(read)")
        #expect(read.contains("got <&> ä\" | "), "\(read)")
    }
}
