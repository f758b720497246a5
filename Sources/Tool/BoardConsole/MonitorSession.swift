package import BenchExecutor
import CommandSupport
package import Console
package import LogFiles
import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Shows a board's console, and sends typed bytes, until Ctrl-], the end of input, a condition of the settings, or the
/// loss of the port. A program's input without bytes, such as `/dev/null`, does not end it.
package struct MonitorSession: Sendable {
    /// How long output is still shown after the end of input, for the answer to the last line.
    private static let finalOutputTime = Duration.seconds(1)
    /// How long the session waits at its end for typed bytes to be accepted, and after a signal for a stopped terminal.
    private static let finalWriteTime = Duration.milliseconds(500)

    private let port: any SerialPort
    private let output: Output
    private let executor: BenchExecutor
    private let crashes: CrashLines
    private let settings: MonitorSettings
    private let reopen: (@Sendable () async throws -> any SerialPort)?
    private let received: [UInt8]
    private let hostTime: HostTime

    /// A session on `port`, which the session closes; time stamps use `executor`'s clock. `crashes` decodes backtraces.
    /// `reopen` reopens a lost port; without it, the loss fails the session. `received` has bytes read from the port
    /// earlier.
    package init(
        port: any SerialPort, output: Output, executor: BenchExecutor, crashes: CrashLines = CrashLines(symbols: nil),
        settings: MonitorSettings = MonitorSettings(), reopen: (@Sendable () async throws -> any SerialPort)? = nil,
        received: [UInt8] = [], wallTime: Int64 = 0
    ) {
        self.port = port
        self.crashes = crashes
        self.output = output
        self.executor = executor
        self.settings = settings
        self.reopen = reopen
        self.received = received
        hostTime = HostTime(wallTime: wallTime, now: executor.now)
    }

    /// Runs the session with the keyboard; a signal ends the session cleanly.
    package func run() async throws -> ExitReason {
        // Ctrl-S is passed on, since the board's own programs may need it; another key pauses the output.
        let terminal = RawTerminal(takesFlowControl: true)
        let interruption = Interruption()
        EndingSignals.watch { name in
            terminal.leave(restoresSignals: false)
            interruption.request(name)
        }
        defer {
            EndingSignals.end()
            terminal.leave()
        }
        return try await run(
            keys: KeyboardInput.bytes(until: nil), areTyped: isatty(STDIN_FILENO) == 1, interruption, isThreaded: true)
    }

    /// Runs the session; `keys` are the bytes to send. Typed keys are read even while the port accepts no bytes.
    ///
    /// - Returns: `passed` when the user left, at the end of input, or when the awaited output was seen; else
    ///   `interrupted`.
    /// - Throws: `SerialPortError` when the port fails; ``CommandFailure`` for every other end.
    @discardableResult
    package func run(
        keys: AsyncStream<[UInt8]>, areTyped: Bool = true, _ interruption: Interruption = Interruption(),
        isThreaded: Bool = false
    ) async throws -> ExitReason {
        let monitored = MonitorPort(port, executor, reopen: reopen, received: received)
        let (events, report) = AsyncStream.makeStream(of: MonitorEvent.self)
        let (orders, send) = AsyncStream.makeStream(of: MonitorOrder.self)
        let input = MonitorInput(waits: !areTyped)
        let screen = MonitorScreen(output, isThreaded: isThreaded)
        var loop = try MonitorLoop(
            settings, monitored, output, screen, crashes, input, send, clock: BenchClock(executor), hostTime)
        if !settings.isTransparent {
            output.note("monitoring \(port.name), Ctrl-] leaves, Ctrl-T Ctrl-H shows the keys")
        }
        do {
            if settings.resets { try await monitored.restart(interruption) }
        } catch is CancellationError where interruption.reason != nil {
            // An interruption at this point ends the session like one during the session.
        }
        let searches = loop.searches
        interruption.whenRequested {
            report.yield(.interrupted)
            for search in searches { search.stop() }
            screen.release()
        }
        let clock = BenchClock(executor)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await monitored.run { report.yield(.port($0)) } }
            group.addTask {
                var isEmpty = true
                for await bytes in keys {
                    isEmpty = false
                    input.read(bytes.count)
                    report.yield(.keys(bytes))
                    await input.waitForRoom()
                }
                // Without any input it is no dialogue: a job of cron or of continuous integration has none.
                let isDialogue = areTyped || !isEmpty || settings.isTransparent
                guard isDialogue, !settings.endsByItself else { return }
                // Ends after all keys have been sent.
                let (drained, isDrained) = AsyncStream.makeStream(of: Never.self)
                report.yield(.keysEnded(isDrained))
                for await _ in drained {}
                try await clock.sleep(for: Self.finalOutputTime)
                if settings.isTransparent { try await monitored.waitForQuiet(Self.finalOutputTime) }
                report.yield(.inputEnded)
            }
            group.addTask {
                await Self.send(orders, to: monitored, input, report)
                report.yield(.sent)
            }
            if let timeout = settings.timeout {
                group.addTask {
                    try await clock.sleep(for: timeout)
                    report.yield(.timeUp)
                }
            }
            defer { group.cancelAll() }
            let outcome: Result<ExitReason, any Error>
            do {
                outcome = .success(try await loop.run(events))
            } catch {
                outcome = .failure(error)
            }
            send.finish()
            // The last input is still sent if the port accepts it.
            group.addTask {
                try? await clock.sleep(for: Self.finalWriteTime)
                report.yield(.sent)
            }
            for await event in events { if case .sent = event { break } }
            await monitored.close()
            try await finish(screen, isInterrupted: interruption.reason != nil)
            return try outcome.get()
        }
    }

    /// Performs orders in turn, until the last one.
    private static func send(
        _ orders: AsyncStream<MonitorOrder>, to port: MonitorPort, _ input: MonitorInput,
        _ report: AsyncStream<MonitorEvent>.Continuation
    ) async {
        for await order in orders {
            do {
                switch order {
                case .send(let bytes): try await port.write(bytes)
                case .reset(let intoLoader): try await port.reset(intoLoader: intoLoader)
                case .drain(let isDrained):
                    defer { isDrained.finish() }
                    try await port.drain()
                case .finish(let count): input.finished(count)
                }
            } catch is CancellationError {
                return
            } catch {
                report.yield(.notSent("\(error)"))
            }
        }
    }

    /// Waits until the screen has shown all output; only briefly for a stopped terminal after a signal.
    private func finish(_ screen: MonitorScreen, isInterrupted: Bool) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await screen.waitUntilShown() }
            if isInterrupted {
                group.addTask { [executor] in try? await BenchClock(executor).sleep(for: Self.finalWriteTime) }
            }
            await group.next()
            group.cancelAll()
        }
        try output.checkData()
    }
}

/// An event that a monitor handles.
enum MonitorEvent: Sendable {
    case port(MonitorPort.Event)
    case keys([UInt8])
    /// The end of the keys; the continuation ends when all keys have been sent.
    case keysEnded(AsyncStream<Never>.Continuation)
    /// An order was not performed, for this reason.
    case notSent(String)
    /// All orders have been performed.
    case sent
    case inputEnded
    case timeUp
    case interrupted
}

/// An action of a monitor on the board.
enum MonitorOrder: Sendable {
    case send([UInt8])
    case reset(intoLoader: Bool)
    /// Wait until all bytes have been sent, then end the stream.
    case drain(AsyncStream<Never>.Continuation)
    /// The orders for this number of input bytes have been performed.
    case finish(input: Int)
}

/// The settings of a monitor: filters, texts to send, and ends.
package struct MonitorSettings: Sendable {
    /// The form of the output.
    package var view = MonitorView.Kind.text
    /// The time stamps.
    package var stamps = LineStamps.Kind.board
    /// The filter of shown lines.
    package var filter = LogFilter.all
    /// True if the output has colours.
    package var hasColours = false
    /// True if the output is JSON Lines.
    package var isJSON = false
    /// True if input is sent unchanged, without the monitor's keys; the end of input ends the session after all bytes
    /// were sent and no more output is received.
    package var isTransparent = false
    /// The line ending sent by Enter and after a text of ``sends``.
    package var lineEnding = LineEnding.lf
    /// Lines to send, once the board is connected or ``sendAfter`` was seen.
    package var sends: [String] = []
    /// The expression after which ``sends`` are sent.
    package var sendAfter: String?
    /// The expression that ends the session.
    package var until: String?
    /// The expression that ends the session as a failure.
    package var failOn: String?
    /// The time limit of the session; exceeding it is a failure if ``until`` was not seen.
    package var timeout: Duration?
    /// The rate of the line, for a hint when the output is garbage; `nil`: the line has none.
    package var baudRate: Int?
    /// The log file.
    package var log: String?
    /// True if the log repeats the output; otherwise it has each line with date and time.
    package var logsOutput = false
    /// When the log file is rotated.
    package var rotation = LogRotation.standard
    /// True if the board is restarted at the beginning.
    package var resets = false

    /// Shows lines with time stamps, without colours.
    package init() {}

    /// True if a condition ends the session, so that the end of input does not.
    var endsByItself: Bool { until != nil || failOn != nil || timeout != nil }
}
