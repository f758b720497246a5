import BLECentral
public import BenchModel
import MonotonicTime
public import BenchExecutor

/// Runs suites on a bench.
///
/// Every case starts from the same state: the board freshly powered, nobody connected, then the steps of `before`.
/// Between the instances of one case that state is not made again as long as it stands: after an instance that
/// passed and only wrote, read, waited and typed, the next one goes on with the links there are, and only the log of
/// events is new. So a matrix of 65,536 requests connects once, and no case spoils anything for another.
/// `after` runs after each instance, passed or failed.
public actor SuiteRunner {
    nonisolated let executor: BenchExecutor
    let device: any BenchDevice
    let recorder: TimelineRecorder
    let options: RunOptions

    /// The suite being run.
    var suite: Suite
    /// The compiled patterns of the suite's console expectations.
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    var sessions: [Int: ClientSession] = [:]
    /// What a central has discovered last: for links that begin without discovery.
    var knownServices: [DiscoveredService] = []
    var log = CaseLog()
    var context = EvaluationContext()
    /// How the firmware has died in this case, if it has.
    var crash: StepFault?
    /// Looks at the log after each event while an expectation waits.
    var waiting: Waiting?
    /// Ends the operation in progress when the board crashes.
    var abortOperation: ((StepFault) -> Void)?
    /// Looks at each advertisement while a scan waits.
    var onAdvertisement: ((Advertisement) -> Void)?
    /// The last console lines of the case, also of former boots: where passkeys are looked up.
    var consoleHistory: [String] = []
    /// How pairings in progress are answered, by client.
    var answers: [Int: PairingAnswers] = [:]
    /// What steps have planned and has not come yet.
    var pendingPoints: [PendingPoint] = []
    var lastFault = 0
    /// What ends every step once the run is to end.
    private var interruption: StepFault?
    private var isInterrupted: Bool { interruption != nil }
    /// Whether the state that `before` made still stands.
    private var stateStands = false

    /// An expectation that waits.
    struct Waiting {
        let matcher: CaseLog.Matcher
        let wait: PendingWait<CaseLog.Outcome?>
    }

    /// The time a power cycle leaves the board without supply: a real one's capacitors have to empty.
    static let powerOffTime = Duration.milliseconds(100)

    static let consoleHistoryLimit = 512

    /// A runner of `suite` on `device`, which lives on `executor`.
    public init(
        _ suite: Suite, on device: any BenchDevice, executor: BenchExecutor, recorder: TimelineRecorder,
        options: RunOptions = RunOptions()
    ) {
        self.suite = suite
        self.device = device
        self.executor = executor
        self.recorder = recorder
        self.options = options
    }

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs the suite, case after case.
    public func run() async -> SuiteResult {
        let started = executor.now
        record("suite", .suite(name: suite.name, file: suite.file))
        options.onProgress(.suiteStarted(suite))
        await device.setEventHandler { event in self.assumeIsolated { $0.receive(event) } }
        await device.setEavesdropping(suite.usesOverheardPasskeys)
        compilePatterns()
        var completed = 0
        var results: [CaseResult] = []
        for index in suite.cases.indices where !isInterrupted {
            let result = await run(caseAt: index, &completed)
            guard result.counts.total > 0 else { continue }
            options.onProgress(.caseEnded(result))
            results.append(result)
        }
        await disconnectAll()
        let result = SuiteResult(
            name: suite.name, file: suite.file, sketch: suite.sketch, seed: options.seed, cases: results,
            started: started, ended: executor.now)
        options.onProgress(.suiteEnded(result))
        return result
    }

    /// Ends the run at once: the instance in progress gets no verdict, and ``run()`` returns what is known so far.
    public func interrupt() {
        let fault = StepFault(.benchFault, expected: "the run to go on", got: "it was interrupted")
        interruption = fault
        die(fault)
    }

    // MARK: Cases

    private func run(caseAt index: Int, _ completed: inout Int) async -> CaseResult {
        let suiteCase = suite.cases[index]
        stateStands = false
        var result = CaseResult(
            name: suiteCase.name.source, position: suiteCase.position, started: executor.now)
        let changesState = (suiteCase.steps + suite.after).contains { $0.changesState }
        let total = suite.instanceCount
        for instance in 0..<suiteCase.matrix.count {
            completed += 1
            if completed % 1024 == 0 { options.onProgress(.advanced(completed: completed, of: total)) }
            suiteCase.matrix.fill(&context.parameters, at: instance)
            guard isSelected(suiteCase) else { continue }
            if result.skipReason == nil {
                let failure = await runInstance(of: suiteCase)
                if isInterrupted {
                    // It has no verdict, and neither have those after it.
                    result.skipReason = "the run was interrupted"
                    result.counts.skipped += 1
                    continue
                }
                if changesState || failure != nil { stateStands = false }
                count(failure, of: suiteCase, in: &result)
            } else {
                result.counts.skipped += 1
            }
        }
        result.ended = executor.now
        return result
    }

    private func isSelected(_ suiteCase: SuiteCase) -> Bool {
        guard let wanted = options.caseName else { return true }
        return wanted == suiteCase.name.source || wanted == name(suiteCase)
    }

    /// The name of the current instance of a case.
    private func name(_ suiteCase: SuiteCase) -> String {
        do {
            return try suiteCase.name.rendered(&context)
        } catch {
            return suiteCase.name.source
        }
    }

    private func count(
        _ failed: (failure: Failure, isInBefore: Bool)?, of suiteCase: SuiteCase, in result: inout CaseResult
    ) {
        guard let failed else {
            result.counts.passed += 1
            return
        }
        result.counts.failed += 1
        result.failures.append(InstanceFailure(name: name(suiteCase), failure: failed.failure))
        if failed.isInBefore {
            result.skipReason = "its 'before' failed"
        } else if result.counts.failed >= options.maximumFailuresPerCase {
            result.skipReason = "after \(result.counts.failed) failure\(result.counts.failed == 1 ? "" : "s")"
        }
    }

    /// Runs one instance of a case; says why it failed.
    private func runInstance(of suiteCase: SuiteCase) async -> (failure: Failure, isInBefore: Bool)? {
        log.clear()
        crash = interruption
        if recorder.isWriting { record("suite", .case(name: name(suiteCase))) }
        if !stateStands {
            if let failure = await makeState(suiteCase.before ?? suite.before) {
                if !isInterrupted { record("suite", .verdict(cause: failure.cause)) }
                return (failure, true)
            }
            stateStands = true
        }
        log.beginSteps()
        var failure = await run(suiteCase.steps)
        if failure == nil { failure = await missingPoint() }
        if crash == nil, let failureAfter = await run(suite.after) { failure = failure ?? failureAfter }
        if !isInterrupted, recorder.isWriting || failure != nil { record("suite", .verdict(cause: failure?.cause)) }
        return failure.map { ($0, false) }
    }

    /// Powers the board afresh, with nobody connected, and runs the steps of `before`.
    private func makeState(_ before: [Step]) async -> Failure? {
        await disconnectAll()
        log.clear()
        crash = interruption
        let powering = Step(
            action: .power(.cycle), position: before.first?.position ?? SourcePosition(line: 1, column: 1),
            source: "the power cycle that precedes every 'before'")
        let started = executor.now
        do throws(StepFault) {
            try await restore()
        } catch {
            return failure(error, in: powering, started: started)
        }
        return await run(before)
    }

    private func run(_ steps: [Step]) async -> Failure? {
        for step in steps {
            let started = executor.now
            if recorder.isWriting { record("suite", .step(line: step.position.line, text: step.source)) }
            do throws(StepFault) {
                if case .repeated(let block) = step.action {
                    if let failure = try await run(block, at: step.position) { return failure }
                } else {
                    try await perform(step)
                }
                if let crash { throw crash }
            } catch {
                return failure(error, in: step, started: started)
            }
        }
        return nil
    }

    private func run(_ block: RepeatStep, at position: SourcePosition) async throws(StepFault) -> Failure? {
        let times = try number(block.times, RepeatStep.range, at: position)
        for repetition in 1...times {
            guard var failure = await run(block.steps) else { continue }
            failure.step += " (repetition \(repetition) of \(times))"
            return failure
        }
        return nil
    }

    func failure(_ fault: StepFault, in step: Step, started: MonotonicInstant) -> Failure {
        var fault = fault
        if let crash, fault.cause != crash.cause {
            // Whatever the crash did to the step, the crash is why.
            fault.cause = crash.cause
            fault.got = crash.got
        }
        return Failure(
            cause: fault.cause, position: fault.position ?? step.position, step: step.source,
            expected: fault.expected, got: fault.got, started: started, failed: executor.now,
            context: recorder.recentEvents)
    }

    // MARK: Helpers

    func record(_ source: String, _ payload: BenchEvent.Payload) {
        recorder.record(BenchEvent(time: executor.now, source: source, payload: payload))
    }

    private func compilePatterns() {
        for step in suite.allSteps {
            // The suite's reader has refused patterns that do not compile.
            let pattern: String
            switch step.action {
            case .expect(.console(.regex(let text)), _): pattern = text
            case .pair(let pair):
                switch pair.passkey {
                case .console(let text), .wrongConsole(let text): pattern = text
                default: continue
                }
            default: continue
            }
            if let regex = try? Regex(pattern) { patterns[pattern] = regex }
        }
    }
}
