import BLECentral
public import BLECore
import BenchExecutor
public import BenchModel
public import Console
public import ESPFlasher
public import ESPImage
public import MonotonicTime

/// The use of a bench by a suite or a test: its board, its centrals and their links, expectations, and the log of
/// events that they are matched against.
///
/// A session lives on the bench's executor. It receives every event of the bench in order, records it with one time
/// stamp, and then checks the pending expectations. A crash of the firmware fails the operation in progress at once.
public actor BenchSession {
    /// The bench.
    public nonisolated let bench: Bench
    /// The receiver of the session's events.
    public nonisolated let recorder: EventRecorder
    nonisolated let executor: BenchExecutor

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var log: EventLog
    /// The states of the boards, by ``BoardID/index``.
    var boards: [BoardState]
    /// The last console lines since the boards were restored, including former boots; passkeys are looked up here.
    var consoleHistory: [(board: Int, line: String)] = []
    var centrals: [CentralState] = []
    /// The number of the last stack of a central.
    var lastStack = 0
    /// True if a central's stack has reported its failure: the stacks are created again for the next case.
    var hasLostStack = false
    /// The services that a central has discovered last, for links that begin without discovery.
    var knownServices: [DiscoveredService] = []
    /// How the firmware has crashed, or why the session has ended.
    var crash: BenchFailure?
    /// The board whose firmware has crashed.
    var crashedBoard: BoardID?
    var interruption: BenchFailure?
    /// The pending expectations, checked after each event, the oldest first; more than one where several tasks use the
    /// session.
    var waiting: [Waiting] = []
    /// The operations in progress, which a crash of the firmware ends.
    var aborts: [Abort] = []
    /// The scans in progress; each receives every advertisement.
    var scans: [PendingScan] = []
    /// The number of the last pending expectation, operation or scan.
    var lastWait = 0
    /// The time limit of the operations of the step in progress, if the step sets one.
    var operationLimit: OperationLimit?
    /// The answers to pairings in progress, by central.
    var answers: [Int: PairingAnswers] = [:]
    /// Planned faults and power cuts that have not occurred.
    var plannedPoints: [PlannedPoint] = []
    var lastPoint = 0
    /// Names of UUIDs for events and failures.
    var names: [BLEUUID: String] = [:]
    /// True if events show the UUIDs of characteristics without a name.
    var showsUUIDs = false
    /// Waits for the rest of a backtrace of ``crashedBoard``.
    var backtraceWait: PendingWait<Void>?
    /// The compiled regular expressions, by their text.
    private(set) var patterns = LinePatterns()

    /// A pending expectation.
    struct Waiting {
        let number: Int
        let matcher: EventMatcher
        /// The first entry of the log that was added after the expectation's search began.
        let searchStart: Int
        let wait: PendingWait<EventLog.Outcome?>
    }

    /// An operation that a crash of the firmware ends early.
    struct Abort {
        let number: Int
        let end: (BenchFailure) -> Void
    }

    /// A central's scan in progress.
    struct PendingScan {
        let number: Int
        let central: Int
        let receive: (Advertisement) -> Void
    }

    /// How long a power cycle leaves the board without supply: the capacitors of real hardware need this time to
    /// discharge.
    static let powerOffTime = Duration.milliseconds(100)

    private static let consoleHistoryLimit = 512

    /// A session on `bench`; call ``start()`` before any other function.
    public init(on bench: Bench, recorder: EventRecorder = EventRecorder()) {
        self.bench = bench
        self.recorder = recorder
        executor = bench.executor
        let isOnly = bench.boards.count == 1
        boards = bench.boards.map { BoardState(name: $0.name, isOnly: isOnly) }
        log = EventLog(boards: bench.boards.count)
    }

    /// Begins to receive the bench's events.
    public func start() async {
        for (index, board) in bench.boards.enumerated() {
            let id = BoardID(index: index)
            board.board.events.setHandler { event in self.assumeIsolated { $0.receive(event, of: id) } }
        }
        await bench.centrals.setPacketObservation(recorder.isObserved)
    }

    /// Ends the use of the bench: switches its boards off; later events have no receiver.
    public func end() async {
        for board in bench.boards {
            board.board.events.setHandler(nil)
            if bench.abilities.contains(.power) { try? await board.board.setPower(false) }
        }
        if bench.centrals.outlivesBench { await cleanCentrals() }
        await bench.centrals.closeStacks()
        for index in centrals.indices { centrals[index] = CentralState(description: centrals[index].description) }
        for board in bench.boards { await board.board.closePort() }
    }

    /// The current instant on the bench's clock.
    public nonisolated var now: MonotonicInstant { executor.now }

    /// Sets names of UUIDs, which events and failures show beside handles.
    ///
    /// - Parameter showsOthers: whether events show the UUIDs of characteristics without a name.
    public func setNames(_ names: [BLEUUID: String], showsOthers: Bool = false) {
        self.names = names
        showsUUIDs = showsOthers
    }

    /// Discards earlier events and a former crash, for the next case or test.
    public func beginCase() {
        log.clear()
        crash = interruption
        crashedBoard = nil
        for index in boards.indices {
            boards[index].hasCrashed = false
            boards[index].backtrace.reset()
        }
    }

    /// Marks the position in the log from which expectations that an event does not occur are checked.
    public func beginSteps() {
        log.beginSteps()
    }

    /// The crash that has ended the firmware; `nil`: none.
    public var failure: BenchFailure? { crash }

    /// The board whose firmware ``failure`` is about, where there are several boards.
    public var crashedBoardName: String? { crashedBoard.flatMap { boards[$0.index].name } }

    /// Ends the operation in progress, and makes every later one fail at once.
    public func interrupt() {
        let failure = BenchFailure(.benchFault, expected: "the run to go on", got: "it was interrupted")
        interruption = failure
        terminate(failure)
    }

    /// Writes `layout` to a board.
    public func flash(
        _ layout: FlashLayout, to board: BoardID = .first,
        progress: @escaping @Sendable (FlashProgress) -> Void = { _ in }
    ) async throws {
        boards[board.index].isFlashing = true
        defer { boards[board.index].isFlashing = false }
        try await bench.boards[board.index].board.flash(layout, progress: progress)
    }

    // MARK: Events

    /// Records an event at the current instant.
    @discardableResult
    public nonisolated func record(_ source: String, _ payload: some EventPayload) -> BenchEvent {
        recorder.record(BenchEvent(time: executor.now, source: source, payload: payload))
    }

    func receive(_ event: BoardEvent, of board: BoardID) {
        switch event {
        case .console(let bytes):
            guard !boards[board.index].isFlashing else { return }
            for line in boards[board.index].lines.append(bytes, at: executor.now) {
                receive(line: line.text, of: board)
            }
            if waiting.contains(where: \.matcher.isPrompt) { checkExpectations() }
        case .event(var event):
            if event.source == BenchBoard.onlyName { event.source = boards[board.index].source }
            // A crash may be reported by the board and by the console: only the first report counts.
            if event.payload is any CrashEvent {
                guard !boards[board.index].hasCrashed else { return }
                boards[board.index].hasCrashed = true
            }
            receive(recorder.record(event), of: board)
        case .pin(let pin, let time):
            recorder.record(BenchEvent(time: time, source: boards[board.index].source, payload: pin))
            log.states.append(pin, of: board.index, at: time)
            if waiting.contains(where: \.matcher.isState) { checkExpectations() }
        case .fault(let message):
            let message = (boards[board.index].name.map { "\($0): " } ?? "") + message
            terminate(BenchFailure(.benchFault, expected: "the bench to do its part", got: message))
        }
    }

    private func receive(line: String, of board: BoardID) {
        let event = record(boards[board.index].consoleSource, ConsoleLineReceived(line))
        if consoleHistory.count == Self.consoleHistoryLimit {
            consoleHistory.removeFirst(Self.consoleHistoryLimit / 2)
        }
        consoleHistory.append((board.index, line))
        log.append(event, of: board.index)
        receiveBacktrace(line, of: board)
        checkExpectations()
        if let pattern = boards[board.index].cutLine, matches(line, pattern) { cutPower(of: board) }
        // A board that notices crashes itself reports more about them: its console is searched only for the ROM's reset
        // line.
        if bench.boards[board.index].board.noticesCrashes, !line.hasPrefix("rst:0x") { return }
        guard let crash = boards[board.index].crashes.receive(line), !boards[board.index].hasCrashed else { return }
        boards[board.index].hasCrashed = true
        let source = boards[board.index].source
        switch crash {
        case .panic(let message): receive(record(source, PanicDetected(message)), of: board)
        case .watchdog(let message): receive(record(source, WatchdogResetDetected(message)), of: board)
        }
    }

    private func receive(_ event: BenchEvent, of board: BoardID) {
        switch event.payload {
        case let crash as any CrashEvent: crashed(board, crash)
        case let servo as ServoMoved:
            log.states.note(signalOn: servo.pin, of: board.index)
            log.append(event, of: board.index)
            checkExpectations()
        case let bytes as UARTBytesReceived:
            log.append(bytes, of: board.index, at: event.time)
            checkExpectations()
        case let conflict as PinConflict:
            terminate(
                BenchFailure(
                    .assertion, expected: "one driver of pin \(conflict.pin)\(boards[board.index].ofBoard)",
                    got: conflict.fault))
        case let power as PowerSwitched where !power.isOn: powerLost(event, of: board)
        case let refusal as NotificationRefused: log.count(refusal)
        default:
            if log.states.append(event.payload, of: board.index, at: event.time) { checkExpectations() }
        }
    }

    private func crashed(_ board: BoardID, _ event: any CrashEvent) {
        guard crash == nil else { return }
        crashedBoard = board
        let ofBoard = boards[board.index].ofBoard
        terminate(
            BenchFailure(
                event.cause, expected: "the firmware\(ofBoard) to continue to run", got: event.got(ofBoard: ofBoard)))
    }

    /// A planned power cut has occurred.
    func powerLost(_ event: BenchEvent, of board: BoardID) {
        boards[board.index].restartConsole()
        plannedPoints.removeAll { $0.isPowerCut && $0.board == board }
        log.append(event, of: board.index)
        checkExpectations()
    }

    /// Checks the pending expectations against the log again.
    func checkExpectations() {
        guard waiting.count > 1 else {
            guard let only = waiting.first, let outcome = outcome(of: only.matcher) else { return }
            waiting.removeAll(keepingCapacity: true)
            return only.wait.resume(outcome)
        }
        for pending in waiting {
            log.resumeSearch(startedAt: pending.searchStart)
            guard let outcome = outcome(of: pending.matcher) else { continue }
            waiting.removeAll { $0.number == pending.number }
            pending.wait.resume(outcome)
        }
        resumeSearch()
    }

    /// Restores the log's search of the pending expectation, if there is one: another expectation may have used it.
    func resumeSearch() {
        if let first = waiting.first { log.resumeSearch(startedAt: first.searchStart) }
    }

    func outcome(of matcher: EventMatcher) -> EventLog.Outcome? {
        if case .prompt(let text, let board) = matcher {
            return boards[board].lines.partialLine == text ? .matched : nil
        }
        return log.outcome(of: matcher)
    }

    /// Fails the operation in progress at once: its awaited event can no longer occur.
    func terminate(_ failure: BenchFailure) {
        guard crash == nil else { return }
        crash = failure
        for pending in waiting { pending.wait.resume(nil) }
        waiting.removeAll()
        for abort in aborts { abort.end(failure) }
    }

    // MARK: Console patterns

    /// Sets compiled expressions that several sessions share.
    public func setPatterns(_ patterns: LinePatterns) {
        self.patterns = patterns
        log.states.patterns = patterns
    }

    /// The compiled form of a regular expression.
    func pattern(_ text: String) throws(BenchFailure) -> LinePattern {
        do {
            return try patterns.pattern(text)
        } catch {
            throw BenchFailure(.suite, expected: "a regular expression", got: "'\(text)': \(error)")
        }
    }

    private func matches(_ line: String, _ pattern: ConsolePattern) -> Bool {
        switch pattern {
        case .line(let text): return line == text
        case .value(let match): return match.answer(Array(line.utf8), patterns) == .met
        case .regex(let pattern):
            // The pattern was compiled when the cut was planned.
            switch try? self.pattern(pattern).search(line) {
            case .found: return true
            case .missing, nil: return false
            case .abandoned, .off:
                terminate(
                    BenchFailure(
                        .suite, expected: "the line matching /\(pattern)/ that cuts the power",
                        got: EventLog.tooSlow(line)))
                return false
            }
        }
    }
}

/// The pattern of a console line.
public enum ConsolePattern: Hashable, Sendable {
    /// The whole line is this text.
    case line(String)
    /// A part of the line matches this regular expression.
    case regex(String)
    /// The line meets conditions.
    case value(ValueMatch)
}
