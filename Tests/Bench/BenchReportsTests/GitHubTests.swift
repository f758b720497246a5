import BenchModel
import BenchReports
import MonotonicTime
import Testing

@Suite("Output for GitHub")
struct GitHubTests {
    private static let failed = RunOutcome(name: "testsFailed", exitCode: 1, error: nil)

    @Test("marks the place of a failure")
    func failure() {
        #expect(
            WorkflowCommand.errors(of: [SampleResults.suite], path: { "sub/" + $0 }) == [
                "::error file=sub/Firmware/Calculator/Suites/calculator.yaml,line=23,col=9,"
                    + "title=Calculator%3A says it's 3::expected a notification of output with 03 within 1 s%0A"
                    + "got 04, after 12.5 ms"
            ])
    }

    @Test("escapes what would end a command or a property")
    func escapes() {
        #expect(
            WorkflowCommand.error("50%\r\na\rb: c, d\n::error::x", title: "t,:%\n")
                == "::error title=t%2C%3A%25%0A::50%25%0D%0Aa%0Db: c, d%0A::error::x")
    }

    @Test("marks the places of a suite or sketch that are at fault, or none")
    func faults() {
        let diagnostics = [
            RunOutcome.Diagnostic(file: "a.ino", position: SourcePosition(line: 5, column: 3), message: "no 'x'"),
            RunOutcome.Diagnostic(file: "b.yaml", position: nil, message: "unreadable"),
        ]
        func commands(_ diagnostics: [RunOutcome.Diagnostic]) -> [String] {
            let fault = RunOutcome.Fault(message: "m\nn", hint: nil, diagnostics: diagnostics)
            return WorkflowCommand.errors(
                of: RunOutcome(name: "buildFailed", exitCode: 3, error: fault), path: { $0 })
        }
        #expect(
            commands(diagnostics) == [
                "::error file=a.ino,line=5,col=3,title=espbench%3A buildFailed::no 'x'",
                "::error file=b.yaml,title=espbench%3A buildFailed::unreadable",
            ])
        #expect(commands([]) == ["::error title=espbench%3A buildFailed::m%0An"])
    }

    @Test("has no more marks than GitHub shows")
    func limit() {
        var suite = SampleResults.suite
        suite.cases[1].failures = Array(repeating: suite.cases[1].failures[0], count: 12)
        #expect(
            WorkflowCommand.errors(of: [suite, suite], path: { $0 }).count == WorkflowCommand.maximumCount)
    }

    @Test("summarises a run as a table with its failures")
    func summary() {
        var suite = SampleResults.suite
        suite.name = "a|b_<c>\nd"
        suite.firmware = FirmwareInformation(nimble: "NimBLE-Arduino 2.5.1 (built-in)")
        let markdown = StepSummary(rerun: RerunCommand(seed: 7)).markdown([suite], Self.failed)
        #expect(
            markdown.hasPrefix(
                """
                ### espbench: testsFailed

                | suite | passed | failed | skipped | bench time |
                |---|--:|--:|--:|--:|
                | a\\|b\\_&lt;c&gt; d | 65,537 | 1 | 2 | 4.499 s |

                Built with NimBLE-Arduino 2.5.1 (built-in).

                <details><summary>says it's 3: expected a notification of output with 03 within 1 s, got 04, after 12.5 ms</summary>

                ```text

                """), "\(markdown)")
        #expect(markdown.contains("notification output 04"))
        #expect(markdown.hasSuffix("```\n\n</details>\n"))
    }

    @Test("summarises a run that did not come to its end")
    func fault() {
        let fault = RunOutcome.Fault(message: "the ```` fence", hint: "h")
        let summary = StepSummary(rerun: RerunCommand(seed: 0))
        #expect(
            summary.markdown([], RunOutcome(name: "buildFailed", exitCode: 3, error: fault)) == """
                ### espbench: buildFailed

                `````text
                the ```` fence
                hint: h
                `````


                """)
    }

    @Test("stays below the size that GitHub takes")
    func size() {
        var suite = SampleResults.suite
        var failure = suite.cases[1].failures[0]
        failure.failure.got = String(repeating: "<", count: 10_000)
        suite.cases[1].failures = Array(repeating: failure, count: 100)
        let markdown = StepSummary(rerun: RerunCommand(seed: 0)).markdown([suite], Self.failed)
        #expect(markdown.utf8.count < 1 << 20)
        #expect(markdown.contains(#/\nand \d+ more failures\.\n$/#))
    }
}
