internal import BenchExecutor
import CommandSupport
internal import Console
internal import LogFiles
import MonotonicTime

/// The state of a monitor's session; handles events one after the other.
struct MonitorLoop {
    /// The maximum number of bytes of held output.
    private static let heldLimit = 8 << 20

    let settings: MonitorSettings
    let port: MonitorPort
    let output: Output
    private let screen: MonitorScreen
    let input: MonitorInput
    /// True if the last typed bytes were not sent, because too many bytes wait.
    var isInputLost = false
    private let orders: AsyncStream<MonitorOrder>.Continuation
    private let clock: BenchClock
    let hostTime: HostTime
    private(set) var crashes: CrashLines
    var view: MonitorView
    var keys: MonitorKeys
    var log: LogFile?
    private var garbage = GarbageDetector()
    private var coreDump = CoreDumpCollector()
    var storedCoreDumps = 0
    private let until: LinePattern?
    private let failOn: LinePattern?
    /// The searches that took too long, which have been reported.
    private var slowSearches: Set<String> = []
    private var sendAfter: LinePattern?
    /// True if output is held, by a key or by the prompt.
    var isPaused = false
    var isPrompting = false
    private var held: [UInt8] = []
    private var lostBytes = 0
    private var end: Result<ExitReason, any Error>?

    init(
        _ settings: MonitorSettings, _ port: MonitorPort, _ output: Output, _ screen: MonitorScreen,
        _ crashes: CrashLines, _ input: MonitorInput, _ orders: AsyncStream<MonitorOrder>.Continuation,
        clock: BenchClock, _ hostTime: HostTime
    ) throws {
        self.settings = settings
        self.port = port
        self.output = output
        self.screen = screen
        self.crashes = crashes
        self.input = input
        self.orders = orders
        self.clock = clock
        self.hostTime = hostTime
        let stamp: MonitorView.LogStamp = { hostTime.stamp($0) }
        view = MonitorView(
            settings.view, stamps: LineStamps(settings.stamps, since: clock.now) { hostTime.ofDay($0) },
            filter: settings.filter, hasColours: settings.hasColours,
            logStamp: settings.logsOutput ? nil : stamp)
        keys = MonitorKeys(lineEnding: settings.lineEnding)
        until = try settings.until.map { try LinePattern($0) }
        failOn = try settings.failOn.map { try LinePattern($0) }
        sendAfter = try settings.sendAfter.map { try LinePattern($0) }
        if let path = settings.log { try beginLog(path) }
    }

    /// The expressions to search in lines.
    var searches: [LinePattern] { [sendAfter, failOn, until].compactMap(\.self) }

    /// Handles events until one ends the session.
    mutating func run(_ events: AsyncStream<MonitorEvent>) async throws -> ExitReason {
        if sendAfter == nil { sendTexts() }
        for await event in events {
            await receive(event)
            if end == nil { try output.checkData() }
            if end != nil { break }
            await screen.waitForRoom()
        }
        isPaused = false
        isPrompting = false
        display([])
        await show(view.finish(at: clock.now))
        if let remark = coreDump.finish() { note("--- \(remark)") }
        let outcome = end ?? .success(.interrupted)
        if settings.isJSON { screen.write(MonitorJSON.end(Self.reason(outcome))) }
        try endLog()
        return try outcome.get()
    }

    private static func reason(_ outcome: Result<ExitReason, any Error>) -> ExitReason {
        switch outcome {
        case .success(let reason): reason
        case .failure(let error): (error as? CommandFailure)?.status ?? .portFailed
        }
    }

    private mutating func receive(_ event: MonitorEvent) async {
        switch event {
        case .port(let event): await receive(event)
        case .keys(let bytes):
            if settings.isTransparent {
                order(.send(settings.lineEnding.translating(bytes)))
            } else {
                for action in keys.receive(bytes) where end == nil { perform(action) }
            }
            order(.finish(input: bytes.count))
        case .keysEnded(let isDrained): order(.drain(isDrained))
        case .notSent(let reason): say("not sent: \(reason)")
        case .sent: break
        case .inputEnded: end = .success(.passed)
        case .interrupted: end = .success(.interrupted)
        case .timeUp: timeUp()
        }
    }

    private mutating func receive(_ event: MonitorPort.Event) async {
        switch event {
        case .received(let bytes, let time):
            await show(view.receive(bytes, at: time))
            if let rate = settings.baudRate, garbage.receive(bytes) {
                note(
                    "--- this is hardly text: does the board send at another rate than \(rate)? Try --baud 9600, 74880, …"
                )
            }
            port.processed(bytes.count)
        case .idle(let time): await show(view.idle(at: time))
        case .away:
            await show(view.finish(at: clock.now))
            note(
                "--- the board left the bus at \(hostTime.text(clock.now)); what it prints until it is back may be lost"
            )
        case .lost(let reason):
            await show(view.finish(at: clock.now))
            note("--- disconnected\(wallTime): \(reason); waiting for the port, Ctrl-] leaves")
        case .back(let pause):
            let milliseconds = pause.wholeNanoseconds / 1_000_000
            note("--- connected again\(wallTime), after \(milliseconds / 1000).\(milliseconds / 100 % 10) s")
        case .failed(let error):
            end = .failure(error)
        }
    }

    private var wallTime: String { " at \(hostTime.text(clock.now))" }

    /// The time of day, for names of files.
    func now(marks: (String, String, String)) -> String { hostTime.text(clock.now, marks: marks) }

    private mutating func timeUp() {
        guard let until else {
            end = .success(.passed)
            return
        }
        end = .failure(
            CommandFailure(
                .timedOut, "--until '\(until.text)' was not seen within \(settings.timeout ?? .zero)",
                code: "monitor.timedOut"))
    }

    // MARK: Output

    /// Shows and logs `pieces`, and the notes that belong below them.
    private mutating func show(_ pieces: [MonitorView.Piece]) async {
        var (shown, logged): ([UInt8], [UInt8]) = ([], [])
        for piece in pieces {
            let step = piece.line.map { $0.isComplete ? coreDump.receive($0.text) : .other } ?? .other
            if settings.isJSON {
                if let line = piece.line, line.isShown {
                    shown += MonitorJSON.line(line, seconds: view.stamps.seconds(line.time))
                }
            } else if step != .part || piece.line?.text.hasPrefix("=") ?? true {
                // The Base64 of a core dump is for its reader and for the log.
                shown += piece.screen
            }
            logged += piece.log
            guard let line = piece.line else { continue }
            if step != .other, step != .part {
                log?.write(logged)
                display(shown)
                (shown, logged) = ([], [])
                await show(step)
            } else if step == .other, line.isComplete, crashes.mayDecode(line.text) {
                // Decoding takes time, so the text before it is shown at once.
                log?.write(logged)
                display(shown)
                (shown, logged) = ([], [])
                for text in await crashes.lines(below: line.text) { note(text) }
            }
            if searches.contains(where: { !$0.isSimple && $0.mayMatch(line.text) }) {
                // The search may take long, so the text before it is logged first.
                log?.write(logged)
                display(shown)
                (shown, logged) = ([], [])
            }
            await check(line)
            if end != nil { break }
        }
        log?.write(logged)
        display(shown)
    }

    /// Ends the session, or sends texts, if the line matches an awaited expression.
    private mutating func check(_ line: MonitorView.Line) async {
        if let sendAfter, await has(line, sendAfter) {
            self.sendAfter = nil
            sendTexts()
        }
        if let failOn, await has(line, failOn) {
            end = .failure(
                CommandFailure(.failOn, "--fail-on '\(failOn.text)' was seen: \(line.text)", code: "monitor.failOn"))
        } else if let until, await has(line, until) {
            end = .success(.passed)
        }
    }

    private mutating func has(_ line: MonitorView.Line, _ search: LinePattern) async -> Bool {
        guard search.mayMatch(line.text) else { return false }
        let answer = await search.answer(line.text)
        switch answer {
        case .found: return true
        case .missing: return false
        case .abandoned, .off:
            let isOff = answer == .off
            let end = isOff ? "is not searched for any more" : "was given up in this line"
            if slowSearches.insert("\(search.text) \(isOff)").inserted {
                note("--- the search for '\(search.text)' takes too long, and \(end)")
            }
            return false
        }
    }

    /// Shows and logs a line of the monitor itself.
    mutating func note(_ text: String) {
        let piece = view.note(text, at: clock.now)
        log?.write(piece.log)
        display(settings.isJSON ? MonitorJSON.note(text) : piece.screen)
    }

    /// Shows the reply to a key, only on the screen.
    mutating func say(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if settings.isJSON {
                output.note("--- \(line)")
            } else {
                screen.write(view.note("--- \(line)", at: clock.now).screen)
            }
        }
    }

    /// Writes to the screen, even while output is held.
    func type(_ text: String) { screen.write(Array(text.utf8)) }

    /// Writes to the screen, or holds the bytes; held output is written first.
    mutating func display(_ bytes: [UInt8]) {
        guard isPaused || isPrompting else {
            if !held.isEmpty {
                screen.write(held)
                held = []
            }
            if lostBytes > 0 { say("\(lostBytes) bytes were held too long, and are only in the log") }
            lostBytes = 0
            screen.write(bytes)
            return
        }
        if held.count + bytes.count <= Self.heldLimit, lostBytes == 0 {
            held += bytes
        } else {
            lostBytes += bytes.count
        }
    }

    // MARK: The board and the log

    /// Sends an order to the port's task.
    func order(_ order: MonitorOrder) { orders.yield(order) }

    /// Ends the session because the user leaves.
    mutating func leave() { end = .success(.passed) }

    private func sendTexts() {
        for text in settings.sends { order(.send(Array(text.utf8) + settings.lineEnding.bytes)) }
    }

    mutating func beginLog(_ path: String) throws {
        let heading = "--- \(port.name) is monitored from \(hostTime.text(clock.now)) on"
        do throws(LogFile.Fault) {
            log = try LogFile(path, settings.rotation, heading: heading) { [output] in $0.complain(output) }
        } catch {
            throw error.asFailure
        }
    }

    mutating func endLog() throws {
        log?.write(Array("--- the monitor ended at \(hostTime.text(clock.now))\n".utf8))
        let fault = log?.fault
        log = nil
        try LogFile.Fault.check(fault)
    }
}
