public import Bench
public import BenchExecutor
public import BenchModel
import MonotonicTime
import Synchronization

/// Runs each case of a suite on a fresh bench, several cases at a time.
///
/// For any number of jobs, observers receive the items in the order of the suite, with times and numbers as if the
/// cases had run one after the other. A unit may be started before the failures of the units before it are known, which
/// limit the number of instances to run; if further ones occur, the unit is started again.
public final class SuiteJobs: Sendable {
    /// The number of items that wait for earlier units; above it no more units are started.
    private static let mostWaitingItems = 200_000
    /// The number of units after the first unfinished one that may be started.
    private static let reach = 64

    private let suite: Suite
    private let options: RunOptions
    private let recorder: EventRecorder
    private let jobs: Int
    private let pace: BenchExecutor.Pace
    private let make: BenchKind.Maker

    private struct State {
        var isInterrupted = false
        /// The run of the first unit that has not ended; its items are reported at once.
        var first: UnitRun?
    }

    private let state = Mutex(State())

    /// Runs of `suite`.
    ///
    /// - Parameters:
    ///   - recorder: its observers receive the items of the run.
    ///   - jobs: the maximum number of units at a time, at least 1.
    ///   - pace: how time passes on the benches.
    ///   - make: makes a bench whose board has been flashed.
    public init(
        _ suite: Suite, options: RunOptions, recorder: EventRecorder, jobs: Int, pace: BenchExecutor.Pace,
        make: @escaping BenchKind.Maker
    ) {
        self.suite = suite
        self.options = options
        self.recorder = recorder
        self.jobs = max(1, jobs)
        self.pace = pace
        self.make = make
    }

    /// Ends the run at once: ``run()`` returns the results so far. Safe from any thread.
    public func interrupt() {
        let first = state.withLock { state in
            state.isInterrupted = true
            return state.first
        }
        first?.interrupt()
    }

    /// Runs the suite.
    ///
    /// - Throws: the error of a unit's bench; the units before it have been reported.
    public func run() async throws -> SuiteResult {
        let plan = options.selection.plan(suite, seed: options.run.seed)
        let units = SuiteUnit.units(of: suite, plan)
        var assembly = SuiteAssembly(suite, plan, options, recorder)
        try await withThrowingTaskGroup(of: Ended.self) { group in
            // The runs that have been started but not yet reported.
            var runs: [Int: UnitRun] = [:]
            var outcomes: [Int: Result<UnitOutcome, any Error>] = [:]
            var running = 0
            var next = 0
            defer { for run in runs.values { run.abandon() } }

            func start(_ index: Int) -> UnitRun {
                let unit = units[index]
                let run = UnitRun(unit, after: assembly.failures(before: unit), UnitStream(to: recorder))
                runs[index] = run
                running += 1
                next = max(next, index + 1)
                group.addTask { [self] in await ended(index, run, plan) }
                return run
            }

            for (index, unit) in units.enumerated() {
                if unit.isFirst && assembly.isExhausted { break }
                if isInterrupted {
                    assembly.interrupt(before: unit)
                    break
                }
                if let run = runs[index], run.failuresBefore != assembly.failures(before: unit) {
                    run.abandon()
                    runs[index] = nil
                    outcomes[index] = nil
                }
                let run = runs[index] ?? start(index)
                setFirst(run)
                run.stream.goLive(assembly.offset)
                while outcomes[index] == nil {
                    while running < jobs, next < min(units.count, index + Self.reach), hasRoom(runs) { _ = start(next) }
                    guard let ended = try await group.next() else { break }
                    running -= 1
                    if runs[ended.index] === ended.run { outcomes[ended.index] = ended.outcome }
                }
                runs[index] = nil
                guard let outcome = try outcomes.removeValue(forKey: index)?.get() else { break }
                assembly.add(outcome, of: unit)
                if outcome.isInterrupted { break }
            }
        }
        return assembly.end()
    }

    /// The end of a run of a unit.
    private struct Ended: Sendable {
        let index: Int
        let run: UnitRun
        let outcome: Result<UnitOutcome, any Error>
    }

    private func ended(_ index: Int, _ run: UnitRun, _ plan: SuitePlan) async -> Ended {
        do {
            let outcome = try await run.run(suite, plan, options, pace: pace, make)
            return Ended(index: index, run: run, outcome: .success(outcome))
        } catch {
            return Ended(index: index, run: run, outcome: .failure(error))
        }
    }

    /// True if more items may wait for earlier runs.
    private func hasRoom(_ runs: [Int: UnitRun]) -> Bool {
        runs.values.reduce(0) { $0 + $1.stream.waitingCount } < Self.mostWaitingItems
    }

    private func setFirst(_ run: UnitRun) {
        let isInterrupted = state.withLock { state in
            state.first = run
            return state.isInterrupted
        }
        if isInterrupted { run.interrupt() }
    }

    private var isInterrupted: Bool { state.withLock { $0.isInterrupted } }
}

/// Combines the outcomes of a suite's units, in their order, and reports the end of each case and of the suite.
struct SuiteAssembly {
    private let suite: Suite
    private let information: SuiteInformation
    private let options: RunOptions
    private let recorder: EventRecorder
    /// The offset of the next unit.
    private(set) var offset = RunOffset()
    /// The failures so far.
    private var failures = FailureCount()
    /// The case of the last unit.
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

    /// The failures that `unit` starts with if no earlier unit fails until then.
    func failures(before unit: SuiteUnit) -> FailureCount {
        var failures = failures
        if unit.plan.index != caseIndex { failures.beginCase() }
        return failures
    }

    /// True if the suite has reached its maximum number of failures.
    var isExhausted: Bool { failures.isExhausted(options) }

    /// Adds the next unit. An interrupted unit is the last one: the instances after it were not run.
    mutating func add(_ outcome: UnitOutcome, of unit: SuiteUnit) {
        failures = outcome.failures
        caseIndex = unit.plan.index
        var result = offset.moved(outcome.result)
        // Moved out, so that adding to the result does not copy it.
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

    /// Ends the case of `unit`, which did not begin because the run was interrupted.
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

    /// Adds the instances of `next`, which follow those of this result.
    fileprivate mutating func add(_ next: CaseResult) {
        counts.add(next.counts)
        failures += next.failures
        instances += next.instances
        skipReason = next.skipReason ?? skipReason
        ended = next.ended
    }
}
