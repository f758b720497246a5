import BLECore
import BenchModel
import MonotonicTime

/// A run with a case that passed, a matrix with one failure, and skipped instances.
enum SampleResults {
    static let run = RunInformation(
        id: "r1", wallTime: 1_700_000_000,
        versions: [RunInformation.Version(name: "espbench", version: "0.7.0")], seed: 7, bench: "virtual")

    static let suite = SuiteResult(
        name: "Calculator", file: "Firmware/Calculator/Suites/calculator.yaml", sketch: "Calculator", run: run,
        cases: [passed, failed], started: at(1_000_000), ended: at(4_500_000_000))

    static func at(_ nanoseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds)
    }

    static let passed: CaseResult = {
        var result = CaseResult(
            name: "adds {a} and {b}", position: SourcePosition(line: 12, column: 5), started: at(1_000_000))
        result.counts.passed = 65_536
        result.ended = at(2_001_500_000)
        return result
    }()

    static let failed: CaseResult = {
        var result = CaseResult(
            name: "says it's {a}", position: SourcePosition(line: 20, column: 5), started: at(2_001_500_000))
        result.counts.passed = 1
        result.counts.failed = 1
        result.counts.skipped = 2
        result.skipReason = "after 1 failure"
        result.ended = at(4_500_000_000)
        result.failures = [
            InstanceFailure(
                name: "says it's 3", parameters: [InstanceFailure.Parameter(name: "a", value: 3)],
                started: at(3_998_000_000), failure: failure)
        ]
        return result
    }()

    static let failure = Failure(
        cause: .assertion, position: SourcePosition(line: 23, column: 9),
        step: "expect: {notification: output, bytes: [a]}", expected: "a notification of output with 03 within 1 s",
        got: "04, after 12.5 ms", started: at(4_000_000_000), failed: at(4_012_500_000), context: context)

    static let context = [
        BenchEvent(
            time: at(3_999_000_000), source: "suite", caseNumber: 3, payload: StepBegan(line: 22, step: "write: …")),
        BenchEvent(
            time: at(3_999_000_100), source: "first", caseNumber: 3,
            payload: ValueWritten(EventAttribute(handle: 16), value: [1, 2, 0xFF], hasResponse: false)),
        BenchEvent(
            time: at(4_010_000_000), source: "console", caseNumber: 3, payload: ConsoleLineReceived("Adding:   01 02")),
        BenchEvent(
            time: at(4_012_500_000), source: "first", caseNumber: 3,
            payload: NotificationReceived(EventAttribute(handle: 18, name: "output"), value: [4])),
    ]
}
