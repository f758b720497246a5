import BLEDescriptions
import BenchModel
import BenchReports
import Console
import MonotonicTime
import Testing

@Suite("Reports for people")
struct ConsoleReportTests {
    private func report(width: Int? = nil, isColoured: Bool = false) -> ConsoleReport {
        ConsoleReport(style: TerminalStyle(isColoured: isColoured, width: width), rerun: RerunCommand(seed: 7))
    }

    private func text(_ suite: SuiteResult, width: Int? = nil) -> String {
        let report = report(width: width)
        return suite.cases.map { report.text($0, file: suite.file) }.joined()
            + report.summary([suite], wallTime: .milliseconds(812))
    }

    /// A suite of one case that has one instance, which failed.
    private func single(_ change: (inout InstanceFailure) -> Void = { _ in }) -> SuiteResult {
        var suite = SampleResults.suite
        var result = CaseResult(
            name: "adds", position: SourcePosition(line: 20, column: 5), started: SampleResults.at(3_998_000_000))
        result.counts.failed = 1
        result.ended = SampleResults.at(4_012_500_000)
        result.failures = [
            InstanceFailure(name: "adds", started: SampleResults.at(3_998_000_000), failure: SampleResults.failure)
        ]
        change(&result.failures[0])
        suite.cases = [result]
        return suite
    }

    @Test("show each case, the details of a failure, and at the end how to run it again")
    func matrix() {
        #expect(
            text(SampleResults.suite) == """
                  ✓ adds {a} and {b}  65,536 cases  2 s
                  ✗ says it's {a}  1 of 4 cases failed  2.498 s
                    says it's 3
                      Firmware/Calculator/Suites/calculator.yaml:23:9: expect: {notification: output, bytes: [a]}
                      expected  a notification of output with 03 within 1 s
                      got       04, after 12.5 ms
                      cause     expectation not met, 12.5 ms after the step began
                      events, in seconds since the case began:
                        0.001000  suite    line 22: write: …
                        0.001000  first    write 0x0010 01 02 ff (no response)
                        0.012000  console  Adding:   01 02
                        0.014500  first    notification output 04

                    - 2 cases not run: after 1 failure

                failed, and how to run it again:
                  Firmware/Calculator/Suites/calculator.yaml:20  says it's 3
                    espbench test Firmware/Calculator/Suites/calculator.yaml --seed 7 --case 'says it'\\''s 3'

                65,537 passed, 1 failed, 2 skipped in 1 suite · 4.499 s of bench time in 812 ms

                """)
    }

    @Test("name a case once")
    func once() {
        let text = report().text(single().cases[0], file: "s.yaml")
        #expect(text.hasPrefix("  ✗ adds  14.5 ms\n    s.yaml:23:9: expect:"))
        #expect(text.components("adds") == 1)
    }

    @Test("wrap lines at words to the width of the terminal, and keep commands that can be copied")
    func narrow() {
        let text = text(SampleResults.suite, width: 40)
        #expect(
            text == """
                  ✓ adds {a} and {b}  65,536 cases  2 s
                  ✗ says it's {a}  1 of 4 cases failed
                    2.498 s
                    says it's 3
                      Firmware/Calculator/Suites/calcula
                        tor.yaml:23:9: expect:
                        {notification: output, bytes:
                        [a]}
                      expected  a notification of output
                                with 03 within 1 s
                      got       04, after 12.5 ms
                      cause     expectation not met,
                                12.5 ms after the step
                                began
                      events, in seconds since the case
                        began:
                        0.001000  suite    line 22:
                                write: …
                        0.001000  first    write 0x0010
                                01 02 ff (no response)
                        0.012000  console  Adding:   01
                                02
                        0.014500  first    notification
                                output 04

                    - 2 cases not run: after 1 failure

                failed, and how to run it again:
                  Firmware/Calculator/Suites/calculator.
                    yaml:20  says it's 3
                    espbench test \\
                      Firmware/Calculator/Suites/calculator.yaml \\
                      --seed 7 --case 'says it'\\''s 3'

                65,537 passed, 1 failed, 2 skipped in 1
                  suite · 4.499 s of bench time in 812
                  ms

                """)
    }

    @Test("count columns as terminals do", arguments: [("日本語", 6), ("é", 1), ("e\u{301}", 1), ("💡", 2), ("✓ …", 3)])
    func columns(text: String, width: Int) {
        // The word does not fit if it is one column wider than what is left.
        let fits = single { $0.failure.got = String(repeating: "x", count: 9) + " " + text }
        let report = report(width: 4 + 10 + 10 + width)
        let lines = report.text(fits.cases[0], file: "s").split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix(text) && $0.contains("got") })
        let narrower = ConsoleReport(
            style: TerminalStyle(isColoured: false, width: 4 + 10 + 10 + width - 1), rerun: RerunCommand(seed: 7))
        let wrapped = narrower.text(fits.cases[0], file: "s").split(separator: "\n")
        #expect(!wrapped.contains { $0.hasSuffix(text) && $0.contains("got") })
    }

    @Test("show the first failures of a matrix in full, a line of the next, and the number of the others")
    func manyFailures() {
        var suite = SampleResults.suite
        var result = SampleResults.failed
        result.failures = (0..<20).map { number in
            InstanceFailure(
                name: "says \(number)", started: SampleResults.at(3_998_000_000), failure: SampleResults.failure)
        }
        result.counts.failed = 65_536
        result.counts.skipped = 0
        suite.cases = [result]
        let text = text(suite)
        #expect(text.components("expected  ") == 3)
        #expect(text.contains("\n    says 3  got 04, after 12.5 ms\n    says 4  got 04,"))
        #expect(text.contains("    says 12  got 04, after 12.5 ms\n    and 65,523 more failed\n\n"))
        #expect(
            text.contains(
                "  says 2\n    espbench test Firmware/Calculator/Suites/calculator.yaml --seed 7 --case 'says 2'\n"))
        #expect(text.contains("  says it's {a}  65,533 more failed\n    espbench test "))
        #expect(!text.contains("--case 'says 3'"))
    }

    @Test("show the parameters of instances whose names have no places for them")
    func parameters() {
        var result = SampleResults.failed
        result.failures[0].name = result.name
        let text = report().text(result, file: "s.yaml")
        #expect(text.contains("\n    a = 3\n      s.yaml:23:9"))
    }

    @Test("always show the event that a failure reports, and steps before console lines")
    func context() throws {
        let suite = single { instance in
            let reported = BenchEvent(
                time: SampleResults.at(3_998_500_000), source: "first",
                payload: NotificationReceived(EventAttribute(handle: 18, name: "output"), value: [4]))
            let step = BenchEvent(
                time: SampleResults.at(3_998_100_000), source: "suite",
                payload: StepBegan(line: 21, step: "advance: 1 s"))
            let lines = (0..<60).map { number in
                BenchEvent(
                    time: SampleResults.at(3_999_000_000 + number), source: "console",
                    payload: ConsoleLineReceived("line \(number)"))
            }
            instance.failure.event = reported
            instance.failure.context = [step] + lines
            instance.failure.forgottenEvents = [5, 3]
        }
        let text = report().text(suite.cases[0], file: "s.yaml")
        #expect(
            text.contains(
                """
                      … 5 events
                      0.000100  suite    line 21: advance: 1 s
                      0.000500  first    notification output 04
                      … 45 events
                      0.001000  console  line 42
                """))
        #expect(text.contains("console  line 59"))
    }

    @Test("say what values mean that the suite's descriptions describe, also in GitHub's summary")
    func described() throws {
        let valve = try PeripheralDescription(
            yaml: """
                name: valve
                services:
                  water:
                    uuid: AA00
                    characteristics:
                      state: {uuid: AA01, properties: [notify], type: u8, names: {0: shut, 4: half open}}
                      factor: {uuid: AA02, properties: [read], calibration: true, type: u8}
                      flow: {uuid: AA03, properties: [notify], type: u8, value: raw * factor, unit: l}
                """, file: "valve.yaml")
        let suite = single { instance in
            func event(_ payload: some EventPayload) -> BenchEvent {
                BenchEvent(time: instance.started, source: "first", payload: payload)
            }
            // The calibration is read long before, and not shown.
            instance.failure.context =
                [event(ValueRead(EventAttribute(handle: 20, name: "water.factor"), value: [3]))]
                + (0..<60).map { event(ConsoleLineReceived("line \($0)")) }
                + ["state", "water.state", "bolt", "flow"].map { name in
                    event(NotificationReceived(EventAttribute(handle: 18, name: name), value: [4]))
                }
            instance.failure.forgottenEvents = [Int](repeating: 0, count: 65)
        }
        let meant = [
            "notification state 04  half open (4)\n", "notification water.state 04  half open (4)\n",
            "notification bolt 04\n", "notification flow 04  12 l\n",
        ]
        let descriptions = SuiteDescriptions([suite.file: [valve]])
        let rerun = RerunCommand(seed: 7)
        let style = TerminalStyle(isColoured: false)
        let report = ConsoleReport(style: style, rerun: rerun, descriptions: descriptions)
        let text = report.text(suite.cases[0], file: suite.file)
        let markdown = StepSummary(rerun: rerun, descriptions: descriptions).markdown(
            [suite], RunOutcome(name: "testsFailed", exitCode: 1, error: nil))
        for meant in meant { #expect(text.contains(meant) && markdown.contains(meant), "\(text)\n\(markdown)") }
        // Of another suite nothing is known.
        #expect(report.text(suite.cases[0], file: "other.yaml").contains("notification state 04\n"))
    }

    @Test("show where the firmware crashed")
    func crash() {
        let suite = single { instance in
            instance.failure.crash = [
                CodeFrame(address: 1, function: "Callbacks::onWrite()", file: "/s/Lamp/Lamp.ino", line: 42),
                CodeFrame(address: 0x400D_0002), CodeFrame(address: 0x400D_0002),
                CodeFrame(address: 3, function: "espbench::sleepUntil(unsigned long)"),
                CodeFrame(address: 4, function: "main"),
            ]
        }
        #expect(
            report().text(suite.cases[0], file: "s.yaml").contains(
                "\n    crash     in Callbacks::onWrite() at Lamp.ino:42\n              from 0x400d0002 (2 times)\n"))
    }

    @Test("show why a case was skipped")
    func skipped() {
        var result = CaseResult(name: "c", position: SourcePosition(line: 1, column: 1), started: .zero)
        result.counts.skipped = 3
        result.skipReason = "needs: air control"
        #expect(
            report().text(result, file: "s.yaml") == "  - c  0 ns\n    - 3 cases skipped: needs: air control\n")
    }

    @Test("use colour only on request")
    func colour() {
        let suite = SampleResults.suite
        let coloured = report(isColoured: true)
        #expect(!report().text(suite.cases[1], file: suite.file).contains("\u{1B}"))
        #expect(coloured.text(suite.cases[0], file: suite.file).hasPrefix("  \u{1B}[32m✓\u{1B}[0m adds"))
        #expect(coloured.text(suite.cases[1], file: suite.file).contains("\u{1B}[31m"))
    }

    @Test("summarise a suite in which all cases passed")
    func allPassed() {
        var suite = SampleResults.suite
        suite.cases = [SampleResults.passed]
        #expect(
            report().summary([suite, suite], wallTime: .seconds(3))
                == "\n131,072 passed in 2 suites · 8.998 s of bench time in 3 s\n")
    }

    @Test("say at the end which NimBLE the sketches had")
    func firmware() {
        var suite = SampleResults.suite
        suite.cases = [SampleResults.passed]
        func summary(_ firmwares: [FirmwareInformation]) -> String {
            let suites = firmwares.map { firmware in
                var suite = suite
                suite.firmware = firmware
                return suite
            }
            return String(report().summary(suites, wallTime: .seconds(3)).dropLast())
        }
        let builtIn = FirmwareInformation(nimble: "NimBLE-Arduino 2.5.1 (built-in)")
        let library = FirmwareInformation(nimble: "NimBLE-Arduino 2.4.0 (library)")
        let name = builtIn.nimble
        #expect(summary([builtIn, builtIn]).hasSuffix(" in 3 s · \(name)"))
        #expect(summary([library, builtIn, library]).hasSuffix(" in 3 s · NimBLE-Arduino 2.4.0 (library) · \(name)"))
        let sanitized = FirmwareInformation(nimble: name, isSanitized: true)
        #expect(summary([sanitized]).hasSuffix(" in 3 s · \(name) · with sanitizers"))
    }

    @Test("repeat the options of the run, quoted for a shell, in commands that run a case again")
    func rerun() {
        let rerun = RerunCommand(program: "./my bench", options: ["--project", "a b"], seed: 0)
        let failure = InstanceFailure(name: "it's", failure: SampleResults.failure)
        #expect(
            rerun.text(failure, file: "-s.yaml")
                == "'./my bench' test ./-s.yaml --project 'a b' --seed 0 --case 'it'\\''s'")
        // With an accent the quote is another character, for a shell it is the same.
        let accent = InstanceFailure(name: "'\u{301}; x '\u{301}", failure: SampleResults.failure)
        #expect(
            rerun.text(accent, file: "s.yaml").utf8.elementsEqual(
                "'./my bench' test s.yaml --project 'a b' --seed 0 --case ''\\''\u{301}; x '\\''\u{301}'".utf8))
    }
}

extension String {
    /// How often `part` is in it.
    fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
