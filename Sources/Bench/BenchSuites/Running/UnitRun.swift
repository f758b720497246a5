import Bench
import BenchExecutor
import BenchModel
import Synchronization

/// What came out of a unit; times and numbers are those of its bench.
struct UnitOutcome: Sendable {
    /// The instances of the unit.
    var result: CaseResult
    /// How often the suite has failed after it.
    var failures: FailureCount
    /// How much the unit adds to the offset of the units after it.
    var extent: RunOffset
    /// Whether it was interrupted before its end.
    var isInterrupted: Bool
}

/// The run of one unit on a fresh bench, on a thread of its own.
final class UnitRun: Sendable {
    let unit: SuiteUnit
    /// The failures before it that it was started with.
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
        // What is still scheduled on the bench keeps its parts alive.
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

    /// Ends the unit at once; nothing of it is reported.
    func abandon() {
        stream.drop()
        interrupt()
    }
}
