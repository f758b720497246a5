import Bench
import BenchModel
import MonotonicTime

/// Puts the outcomes of a suite's units together, in their order, and reports cases and suite as they end.
struct SuiteAssembly {
    private let suite: Suite
    private let information: SuiteInformation
    private let options: RunOptions
    private let recorder: EventRecorder
    /// Where the next unit begins.
    private(set) var offset = RunOffset()
    /// The failures so far.
    private var failures = FailureCount()
    /// The case that the last unit was of.
    private var caseIndex: Int?
    private var caseInProgress: CaseResult?
    private var results: [CaseResult] = []

    /// Begins the suite.
    init(_ suite: Suite, _ plan: SuitePlan, _ options: RunOptions, _ recorder: EventRecorder) {
        self.suite = suite
        information = suite.information(of: plan)
        self.options = options
        self.recorder = recorder
        recorder.record(
            BenchEvent(
                time: .zero, source: "suite",
                payload: SuiteBegan(name: suite.name, file: suite.file, firmware: suite.firmware)))
        recorder.report(.suiteStarted(information))
    }

    /// The failures that a unit begins with if none comes until then.
    func failures(before unit: SuiteUnit) -> FailureCount {
        var failures = failures
        if unit.plan.index != caseIndex { failures.beginCase() }
        return failures
    }

    /// Whether the suite has failed as often as it may.
    var isExhausted: Bool { failures.isExhausted(options) }

    /// Adds the next unit. One that was interrupted is the last: the instances after it were not run.
    mutating func add(_ outcome: UnitOutcome, of unit: SuiteUnit) {
        failures = outcome.failures
        caseIndex = unit.plan.index
        var result = offset.moved(outcome.result)
        // Taken out, so that what is added to it does not copy it.
        if var sum = caseInProgress.take() {
            sum.add(result)
            result = sum
        }
        offset.time += outcome.extent.time
        offset.number += outcome.extent.number
        offset.completed += outcome.extent.completed
        if outcome.isInterrupted {
            result.counts.skipped += unit.plan.instances.count - unit.positions.upperBound
        }
        caseInProgress = result
        if unit.isLast || outcome.isInterrupted { endCase() }
    }

    /// Ends the case of `unit`, which was not begun as the run was interrupted.
    mutating func interrupt(before unit: SuiteUnit) {
        let suiteCase = suite.cases[unit.plan.index]
        let now = MonotonicInstant.zero.advanced(by: offset.time)
        var result =
            caseInProgress ?? CaseResult(name: suiteCase.name.source, position: suiteCase.position, started: now)
        result.tags = suite.tags(of: suiteCase)
        result.sampledFrom = unit.plan.sampledFrom
        result.counts.skipped += unit.plan.instances.count - unit.positions.lowerBound
        result.skipReason = CaseResult.interruption
        caseInProgress = result
        endCase()
    }

    private mutating func endCase() {
        guard let result = caseInProgress else { return }
        caseInProgress = nil
        recorder.report(.caseEnded(result, of: information))
        results.append(result)
    }

    /// Ends the suite.
    mutating func end() -> SuiteResult {
        let result = SuiteResult(
            name: suite.name, file: suite.file, sketch: suite.sketch, boards: suite.boardInformation,
            firmware: suite.firmware, run: options.run, cases: results, started: .zero,
            ended: MonotonicInstant.zero.advanced(by: offset.time))
        recorder.report(.suiteEnded(result))
        return result
    }
}

extension CaseResult {
    /// Why instances are skipped after an interruption.
    static let interruption = "the run was interrupted"

    /// Adds the instances of `next`, which come after these.
    fileprivate mutating func add(_ next: CaseResult) {
        counts.add(next.counts)
        failures += next.failures
        instances += next.instances
        skipReason = next.skipReason ?? skipReason
        ended = next.ended
    }
}
