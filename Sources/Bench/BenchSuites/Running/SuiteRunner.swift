public import Bench
import BenchExecutor
public import BenchModel
import BoardParts
import Console
import MonotonicTime

/// Runs suites on any bench.
///
/// Every case starts from the same state: the boards just powered on, no connections, then the steps of `before`.
/// Between the instances of one case that state is kept while it is valid: after an instance that passed and did
/// nothing but write, read, wait and type, the next one keeps the open links and gets a new log of events. So a matrix
/// of 65,536 requests connects only once, and no case affects another one. `after` runs after each instance, passed or
/// failed. A case with a step that needs an ability the bench lacks is skipped.
public actor SuiteRunner {
    let session: BenchSession
    private let suite: Suite
    private let options: RunOptions
    private let plan: SuitePlan
    private var isInterrupted = false
    /// True if the state that `before` established is still valid.
    private var isBaselineValid = false
    /// The number of the last instance.
    private var lastInstance = 0
    /// The fault of the suite's parts, if they could not be wired.
    private var wiringFault: BenchFailure?
    /// The failures so far.
    private var failures = FailureCount()

    /// A runner of `suite` in `session`, which has been started.
    public init(_ suite: Suite, in session: BenchSession, options: RunOptions) {
        self.init(suite, options.selection.plan(suite, seed: options.run.seed), in: session, options: options)
    }

    /// A runner for the part of `suite` that `plan` selects.
    init(_ suite: Suite, _ plan: SuitePlan, in session: BenchSession, options: RunOptions) {
        self.suite = suite
        self.session = session
        self.options = options
        self.plan = plan
    }

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// Runs the suite on this bench, case after case.
    public func run() async -> SuiteResult {
        let started = session.now
        session.record("suite", SuiteBegan(name: suite.name, file: suite.file, firmware: suite.firmware))
        let information = suite.information(of: plan)
        report(.suiteStarted(information))
        let run = await prepare()
        var completed = 0
        var results: [CaseResult] = []
        for casePlan in plan.cases where !isInterrupted && !failures.isExhausted(options) {
            failures.beginCase()
            let result = await self.run(casePlan, casePlan.instances.indices, run, information, &completed)
            report(.caseEnded(result, of: information))
            results.append(result)
        }
        await session.disconnectAll()
        let result = SuiteResult(
            name: suite.name, file: suite.file, sketch: suite.sketch, boards: suite.boardInformation,
            firmware: suite.firmware, run: options.run, cases: results, started: started, ended: session.now)
        report(.suiteEnded(result))
        return result
    }

    /// Runs one unit of the suite on this bench, which is fresh; `failures` are those of earlier units.
    func run(_ unit: SuiteUnit, after failures: FailureCount) async -> UnitOutcome {
        let run = await prepare()
        self.failures = failures
        var completed = 0
        let result = await self.run(unit.plan, unit.positions, run, suite.information(of: plan), &completed)
        return UnitOutcome(
            result: result, failures: self.failures,
            extent: RunOffset(
                time: MonotonicInstant.zero.duration(to: session.now), number: lastInstance, completed: completed),
            isInterrupted: result.skipReason == CaseResult.interruption)
    }

    private func prepare() async -> StepRun {
        await session.setNames(suite.names)
        await session.setPatterns(suite.patterns)
        for (index, symbols) in (options.symbols[suite.file] ?? []).prefix(session.bench.boards.count).enumerated() {
            await session.setSymbols(symbols, of: BoardID(index: index))
        }
        for index in session.bench.boards.indices {
            await wire(suite.parts.filter { $0.board.index == index }.map(\.part), to: BoardID(index: index))
        }
        let centrals = await session.addCentrals(suite.centrals)
        await session.setEavesdropping(plan.isEavesdropping)
        return StepRun(session, suite, centrals, options.pictures, step: Self.powering(suite.before))
    }

    /// Wires the suite's parts; a fault becomes the failure of every case.
    private func wire(_ parts: [WiredPart], to board: BoardID) async {
        do throws(BenchFailure) {
            try await session.wire(parts, to: board)
        } catch {
            wiringFault = error
        }
    }

    /// Ends the run at once: the instance in progress gets no verdict, and ``run()`` returns the results so far.
    public func interrupt() {
        isInterrupted = true
        session.assumeIsolated { $0.interrupt() }
    }

    private func report(_ item: RunItem) {
        session.recorder.report(item)
    }

    // MARK: Cases

    private func run(
        _ plan: CasePlan, _ positions: Range<Int>, _ run: StepRun, _ information: SuiteInformation,
        _ completed: inout Int
    ) async -> CaseResult {
        isBaselineValid = false
        let suiteCase = suite.cases[plan.index]
        var result = CaseResult(name: suiteCase.name.source, position: suiteCase.position, started: session.now)
        result.tags = suite.tags(of: suiteCase)
        result.sampledFrom = plan.sampledFrom
        var missing = suite.steps(of: suiteCase).missing(on: session.bench)
        // The suite's boards are powered at the start of every case, even boards that no step uses.
        if suite.boardCount > session.bench.boards.count { missing.insert(.boards(suite.boardCount)) }
        result.skipReason = failures.skipReason
        if !missing.isEmpty { result.skipReason = "needs: \(missing.map(\.description).sorted().list)" }
        let changesState = (suiteCase.steps + suite.after).contains(where: \.changesState)
        for position in positions {
            completed += 1
            if completed % 1024 == 0 { report(.advanced(completed: completed, of: information)) }
            suiteCase.matrix.fill(&run.context.parameters, at: plan.instances[position])
            if let reason = result.skipReason {
                if missing.isEmpty || !options.requiresAll || failures.ofCase > 0 {
                    skip(suiteCase, run, reason, &result)
                } else {
                    let failure = unable(suiteCase, reason)
                    end(suiteCase, run, (failure, true), since: session.now, &result)
                    result.skipReason = reason
                }
                continue
            }
            let started = session.now
            var former: [Failure] = []
            var failure = await runInstance(of: suiteCase, run)
            while let failed = failure?.failure, failed.cause.mayBeOfTheRadio, former.count < options.retries,
                !isInterrupted
            {
                former.append(failed)
                isBaselineValid = false
                failure = await runInstance(of: suiteCase, run)
            }
            if isInterrupted {
                // Neither this instance nor the following ones have a verdict, since they have not ended.
                result.skipReason = CaseResult.interruption
                result.counts.skipped += positions.upperBound - position
                break
            }
            if changesState || failure != nil { isBaselineValid = false }
            end(suiteCase, run, failure, after: former, since: started, &result)
        }
        result.ended = session.now
        return result
    }

    /// The name of the current instance of a case.
    private func name(_ suiteCase: SuiteCase, _ run: StepRun) -> String {
        do {
            return try suiteCase.name.rendered(&run.context)
        } catch {
            return suiteCase.name.source
        }
    }

    // MARK: Results

    private func skip(_ suiteCase: SuiteCase, _ run: StepRun, _ reason: String, _ result: inout CaseResult) {
        result.counts.skipped += 1
        guard wantsInstances else { return }
        keep(
            InstanceResult(
                name: name(suiteCase, run), number: 0, position: suiteCase.position, verdict: .skipped(reason: reason),
                started: session.now, ended: session.now), &result)
    }

    private func end(
        _ suiteCase: SuiteCase, _ run: StepRun, _ failed: (failure: Failure, isInBefore: Bool)?,
        after former: [Failure] = [], since started: MonotonicInstant, _ result: inout CaseResult
    ) {
        func instance(_ failure: Failure, after former: [Failure]) -> InstanceFailure {
            let parameters = zip(suiteCase.matrix.names, run.context.parameters).map(InstanceFailure.Parameter.init)
            return InstanceFailure(
                name: name(suiteCase, run), parameters: parameters, started: started, failure: failure, after: former)
        }
        if let failed {
            failures.add(isInBefore: failed.isInBefore, options)
            result.counts.failed += 1
            result.failures.append(instance(failed.failure, after: former))
            result.skipReason = failures.skipReason
        } else {
            result.counts.passed += 1
            if let last = former.last {
                result.counts.retried += 1
                result.retried.append(instance(last, after: former.dropLast()))
            }
        }
        guard wantsInstances else { return }
        var instance = InstanceResult(
            name: name(suiteCase, run), number: lastInstance, position: suiteCase.position,
            verdict: failed.map { .failed($0.failure) } ?? .passed, started: started, ended: session.now)
        instance.formerFailures = former
        keep(instance, &result)
    }

    /// True if an observer or the results need each instance; in a large matrix they cost time.
    private var wantsInstances: Bool { options.keepsInstances || session.recorder.wantsInstances }

    private func keep(_ instance: InstanceResult, _ result: inout CaseResult) {
        if options.keepsInstances { result.instances.append(instance) }
        report(.instanceEnded(instance))
    }

    /// The failure of a case that the bench cannot run.
    private func unable(_ suiteCase: SuiteCase, _ reason: String) -> Failure {
        Failure(
            cause: .benchFault, position: suiteCase.position, step: suiteCase.name.source,
            expected: "a bench that can run the case", got: reason, started: session.now, failed: session.now,
            context: [])
    }

    // MARK: Instances

    /// Runs one instance of a case; returns its failure.
    private func runInstance(
        of suiteCase: SuiteCase, _ run: StepRun
    ) async -> (failure: Failure, isInBefore: Bool)? {
        await session.beginCase()
        lastInstance = session.recorder.beginCase()
        defer { session.recorder.endCase() }
        let isObserved = session.recorder.isObserved
        if isObserved { session.record("suite", CaseBegan(name: name(suiteCase, run))) }
        if !isBaselineValid {
            if let failure = await makeBaseline(suiteCase.before ?? suite.before, run) {
                if !isInterrupted { session.record("suite", CaseEnded(cause: failure.cause)) }
                return (failure, true)
            }
            isBaselineValid = true
        }
        await session.beginSteps()
        var failure = await perform(suiteCase.steps, run)
        if failure == nil { failure = await missingPoint(run) }
        if failure == nil, let held = await session.heldWithoutEffect() {
            failure = await self.failure(held, run, started: session.now)
        }
        if await session.failure == nil, let failureAfter = await perform(suite.after, run) {
            failure = failure ?? failureAfter
        }
        if !isInterrupted, isObserved || failure != nil { session.record("suite", CaseEnded(cause: failure?.cause)) }
        return failure.map { ($0, false) }
    }

    /// The step that a failure shows for the power cycle before every `before`.
    private static func powering(_ before: [Step]) -> Step {
        Step(
            action: PowerStep(action: .change(.cycle)),
            position: before.first?.position ?? SourcePosition(line: 1, column: 1),
            source: "the power cycle that precedes every 'before'")
    }

    /// Powers the boards off and on, without connections, and runs the steps of `before`.
    private func makeBaseline(_ before: [Step], _ run: StepRun) async -> Failure? {
        await session.disconnectAll()
        await session.beginCase()
        run.planners.removeAll()
        run.step = Self.powering(before)
        let started = session.now
        do throws(BenchFailure) {
            if let wiringFault { throw wiringFault }
            try await session.restore()
        } catch {
            return await failure(error, run, started: started)
        }
        return await perform(before, run)
    }

    private func perform(_ steps: [Step], _ run: StepRun) async -> Failure? {
        for step in steps {
            let started = session.now
            session.record("suite", StepBegan(line: step.position.line, step: step.source))
            run.step = step
            do throws(BenchFailure) {
                if let block = step.action as? RepeatStep {
                    if let failure = try await perform(block, run) { return failure }
                } else if let limit = step.limit {
                    await session.limitOperations(to: limit)
                    try await step.action.run(run)
                    try await session.endLimit()
                } else {
                    try await step.action.run(run)
                }
                if let crash = await session.failure { throw crash }
            } catch {
                if step.limit != nil { await session.limitOperations(to: nil) }
                run.step = step
                return await failure(error, run, started: started)
            }
        }
        return nil
    }

    private func perform(_ block: RepeatStep, _ run: StepRun) async throws(BenchFailure) -> Failure? {
        let times = try run.number(block.times, RepeatStep.range)
        let outer = run.repetitions
        guard outer * times <= RepeatStep.limitOfNested else {
            throw BenchFailure(
                .suite, expected: "nested blocks to repeat at most \(RepeatStep.limitOfNested) times",
                got: "\(outer) · \(times)")
        }
        run.repetitions = outer * times
        defer { run.repetitions = outer }
        for repetition in 1...times {
            guard var failure = await perform(block.steps, run) else { continue }
            failure.step += " (repetition \(repetition) of \(times))"
            return failure
        }
        return nil
    }

    /// The failure for a planned fault that did not occur: a case that depends on the fault has proven nothing.
    private func missingPoint(_ run: StepRun) async -> Failure? {
        guard let point = await session.pointsToCome().first, let step = run.planners[point] else { return nil }
        run.step = step
        let what = point.isPowerCut ? "the cut of the power" : "the fault"
        return await failure(
            BenchFailure(.assertion, expected: "\(what) to come before the case ends", got: point.got), run,
            started: session.now)
    }

    private func failure(_ failure: BenchFailure, _ run: StepRun, started: MonotonicInstant) async -> Failure {
        var failure = failure
        if let crash = await session.failure, failure.cause != crash.cause {
            // Whatever error the crash caused in the step, the crash is the cause of the failure.
            failure.cause = crash.cause
            failure.got = crash.got
        }
        let failed = session.now
        if failure.cause == .timedOut, let stall = await session.stall() { failure.got += "; \(stall)" }
        let frames = await session.crashFrames()
        if let place = frames.first(where: { $0.isOfSketch && $0.place != nil })
            ?? frames.first(where: { $0.place != nil })
        {
            if let last = failure.got.last, ".:".contains(last) { failure.got.removeLast() }
            failure.got += ", in \(place.text)"
        }
        await session.recordUnfinishedLine()
        var result = Failure(
            cause: failure.cause, position: failure.position ?? run.step.position, step: run.step.source,
            expected: failure.expected, got: failure.got, started: started, failed: failed,
            context: session.recorder.recentEvents)
        result.forgottenEvents = session.recorder.forgottenEvents
        result.event = failure.event
        result.crash = frames
        if failure.cause == .panic || failure.cause == .watchdog { result.board = await session.crashedBoardName }
        return result
    }
}
