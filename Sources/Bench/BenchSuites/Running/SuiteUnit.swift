import Bench
import BenchExecutor
import BenchModel
import MonotonicTime
import Synchronization

/// A part of a suite that runs on a bench of its own: a case, or some instances of its matrix.
///
/// The events in a unit depend only on the suite, the seed of the run and the unit, not on other units. So units can
/// run in any order and several at a time, and a case behaves the same alone and in the whole suite.
struct SuiteUnit: Sendable {
    /// The maximum number of instances in a unit whose instances keep the state of the previous one.
    static let capacity = 4096
    /// The approximate number of units for a matrix whose instances all start from a new state.
    private static let freshUnits = 1024

    /// The instances of the case to run.
    let plan: CasePlan
    /// The unit's positions in the plan's instances; never empty.
    let positions: Range<Int>
    /// The index of the unit among all units of the case, selected or not.
    let number: Int

    /// True if it is the first unit of its case that runs.
    var isFirst: Bool { positions.lowerBound == 0 }

    /// True if it is the last unit of its case that runs.
    var isLast: Bool { positions.upperBound == plan.instances.count }

    /// The seed of its bench.
    func seed(_ suite: Suite, run: RunInformation) -> UInt64 {
        let name = suite.cases[plan.index].name.source
        let ofSuite = SeededRandom(seed: run.seed).fork("suite \(suite.name)")
        var random = ofSuite.fork("case \(name)").fork("unit \(number)")
        return random.next()
    }

    /// The units for the selected part of `suite`, in order.
    static func units(of suite: Suite, _ plan: SuitePlan) -> [SuiteUnit] {
        plan.cases.flatMap { casePlan in
            let size = size(suite, suite.cases[casePlan.index])
            var units: [SuiteUnit] = []
            var position = 0
            while position < casePlan.instances.count {
                let number = casePlan.instances[position] / size
                var end = position + 1
                while end < casePlan.instances.count, casePlan.instances[end] / size == number { end += 1 }
                units.append(SuiteUnit(plan: casePlan, positions: position..<end, number: number))
                position = end
            }
            return units
        }
    }

    /// The number of instances of a case that share a bench. It depends only on the suite, not on the selected cases or
    /// on the number of units that run at a time.
    private static func size(_ suite: Suite, _ suiteCase: SuiteCase) -> Int {
        let startsAfresh = (suiteCase.steps + suite.after).contains(where: \.changesState)
        return startsAfresh ? (suiteCase.matrix.count + freshUnits - 1) / freshUnits : capacity
    }
}

/// The outcome of a unit; times and numbers are relative to its bench.
struct UnitOutcome: Sendable {
    /// The instances of the unit.
    var result: CaseResult
    /// The number of failures of the suite after this unit.
    var failures: FailureCount
    /// How much the unit adds to the offset of the units after it.
    var extent: RunOffset
    /// True if it was interrupted before its end.
    var isInterrupted: Bool
}

/// The run of one unit on a fresh bench, on a thread of its own.
final class UnitRun: Sendable {
    let unit: SuiteUnit
    /// The failures of earlier units that were known at the start of this unit.
    let failuresBefore: FailureCount
    let stream: UnitStream

    private struct State {
        var isInterrupted = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init(_ unit: SuiteUnit, after failures: FailureCount, _ stream: UnitStream) {
        self.unit = unit
        failuresBefore = failures
        self.stream = stream
    }

    /// Runs the unit on a bench that `make` makes.
    func run(
        _ suite: Suite, _ plan: SuitePlan, _ options: RunOptions, pace: BenchExecutor.Pace,
        _ make: @escaping BenchKind.Maker
    ) async throws -> UnitOutcome {
        let executor = BenchExecutor(pace: pace)
        // Discarded because scheduled events would keep the parts of the bench alive.
        defer { executor.discardEvents() }
        return try await executor.runOnThread { [self] in
            let seed = unit.seed(suite, run: options.run)
            let session = BenchSession(on: try await make(seed, executor), recorder: EventRecorder(observers: [stream]))
            await session.start()
            let runner = SuiteRunner(suite, plan, in: session, options: options)
            setInterrupt { executor.post { runner.assumeIsolated { $0.interrupt() } } }
            let outcome = await runner.run(unit, after: failuresBefore)
            setInterrupt(nil)
            await session.end()
            return outcome
        }
    }

    private func setInterrupt(_ action: (@Sendable () -> Void)?) {
        let isDue = state.withLock { state in
            state.interrupt = action
            return state.isInterrupted
        }
        if isDue { action?() }
    }

    /// Ends the unit at once. Safe from any thread.
    func interrupt() {
        let action = state.withLock { state in
            state.isInterrupted = true
            return state.interrupt
        }
        action?()
    }

    /// Ends the unit at once; reports nothing.
    func abandon() {
        stream.drop()
        interrupt()
    }
}

/// Passes the items of a unit to the observers of the run: items are kept until every earlier unit has ended; then they
/// are passed on at once, with their times and numbers in the whole run.
final class UnitStream: RunObserver {
    private enum Phase {
        case waiting([RunItem])
        case live(RunOffset)
        case dropped
    }

    private let recorder: EventRecorder
    private let phase = Mutex(Phase.waiting([]))

    /// A stream to the observers of `recorder`.
    init(to recorder: EventRecorder) {
        self.recorder = recorder
    }

    var wantsEvents: Bool { recorder.isObserved }
    var wantsInstances: Bool { recorder.wantsInstances }

    func receive(_ item: RunItem) {
        phase.withLock { phase in
            switch phase {
            case .waiting(var items):
                // Afterwards the array is the only reference to its elements.
                phase = .dropped
                items.append(item)
                phase = .waiting(items)
            case .live(let offset): recorder.relay(offset.moved(item))
            case .dropped: break
            }
        }
    }

    /// The number of waiting items.
    var waitingCount: Int {
        phase.withLock { if case .waiting(let items) = $0 { items.count } else { 0 } }
    }

    /// Passes on the waiting items, and from now on every new item.
    func goLive(_ offset: RunOffset) {
        phase.withLock { phase in
            guard case .waiting(let items) = phase else { return }
            for item in items { recorder.relay(offset.moved(item)) }
            phase = .live(offset)
        }
    }

    /// Drops the waiting items, and every new item.
    func drop() {
        phase.withLock { $0 = .dropped }
    }
}
