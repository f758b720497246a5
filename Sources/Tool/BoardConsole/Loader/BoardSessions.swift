package import BenchExecutor
import CommandSupport
package import Console
import ESPChips
import ESPFlasher
import ESPImage
import SerialPort
import Synchronization

/// A board in its loader, passed to the body of a command.
package struct BoardSession {
    package let flasher: Flasher
    package let board: ConnectedBoard
    package let port: any SerialPort
    package let reporter: BoardReporter
    /// How much of the flash was written, for an interruption.
    package let extent: FlashExtent

    /// Resets the board according to `kind`; notifies the user if the board stays in its loader.
    package func reset(_ kind: BoardReset) async throws(FlasherError) {
        if try await !flasher.reset(kind, of: board), kind != .stay {
            reporter.note(
                "the board stays in its loader: over a port without DTR and RTS the \(board.chip.name) cannot be "
                    + "restarted; press its reset button, or use --no-stub")
        }
    }

    /// Shows the console of the restarted board over the same port, so that little of its first output is lost.
    ///
    /// - Throws: as ``MonitorSession/run()``.
    package func monitor(
        _ output: Output, _ executor: BenchExecutor, crashes: CrashLines, _ settings: MonitorSettings,
        reopen: (@Sendable () async throws -> any SerialPort)?, wallTime: Int64
    ) async throws -> ExitReason {
        try await MonitorSession(
            port: port, output: output, executor: executor, crashes: crashes, settings: settings, reopen: reopen,
            received: flasher.unreadOutput, wallTime: wallTime
        ).run()
    }
}

/// Opens the port of a board.
package struct PortOpener: Sendable {
    /// The port's name in the events and messages of a command on several boards.
    let name: String
    /// The clock of the port's time.
    let clock: any Clock<Duration>
    let open: @Sendable () async throws -> any SerialPort

    package init(
        name: String, clock: any Clock<Duration>, open: @escaping @Sendable () async throws -> any SerialPort
    ) {
        self.name = name
        self.clock = clock
        self.open = open
    }

    /// Opens the port at `address`.
    package init(_ address: PortAddress) {
        self.init(name: address.text, clock: ContinuousClock()) { try await Ports.open(address) }
    }
}

/// Runs a command on one board or on several at the same time.
package struct BoardSessions: Sendable {
    private let places: [PortOpener]
    private let options: SessionOptions
    private let chip: Chip?
    private let after: BoardReset
    private let isJSON: Bool
    private let showsProgress: Bool
    private let output: Output

    /// Sessions that begin according to `options`, only with boards that have `chip` if one is given, and end with the
    /// reset `after`.
    package init(
        _ places: [PortOpener], _ options: SessionOptions, chip: Chip? = nil, after: BoardReset = .hard,
        isJSON: Bool = false, showsProgress: Bool = true, _ output: Output
    ) {
        self.places = places
        self.options = options
        self.chip = chip
        self.after = after
        self.isJSON = isJSON
        self.showsProgress = showsProgress
        self.output = output
    }

    /// Runs `body` with each board. `body` reports the result; then the board is reset according to the options. A
    /// closed output pipe does not end the work, since the flash would stay incomplete without a message.
    ///
    /// - Returns: the exit code of `body`, or with `--json` that of the failure that was printed.
    /// - Throws: ``CommandFailure``, of the first board that failed, after the work on all boards has ended.
    package func run(
        _ body: @escaping @Sendable (borrowing BoardSession) async throws -> ExitReason
    ) async throws -> ExitReason {
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        ClosedPipe.letWritesFail()
        let lines = ProgressLines(count: places.count)
        let results = try await interruption.cancelling {
            await withTaskGroup(of: (Int, Result<ExitReason, CommandFailure>).self) { group in
                for (index, place) in places.enumerated() {
                    let reporter = BoardReporter(
                        port: place.name, index: index, of: places.count, lines, isJSON: isJSON,
                        showsProgress: showsProgress, output)
                    group.addTask { (index, await run(at: place, reporter, interruption, body)) }
                }
                var results = places.map { _ in Result<ExitReason, CommandFailure>.success(.passed) }
                for await (index, result) in group { results[index] = result }
                return results
            }
        }
        let failures = zip(places, results).compactMap { place, result in
            if case .failure(let failure) = result { (place.name, failure) } else { nil }
        }
        guard let first = failures.first?.1 else {
            return try results.map { try $0.get() }.first { $0 != .passed } ?? .passed
        }
        if isJSON { return first.status }
        guard places.count > 1 else { throw first }
        throw CommandFailure(
            first.status,
            "\(failures.count) of \(places.count) boards failed: \(failures.map(\.0).joined(separator: ", "))",
            code: first.code)
    }

    private func run(
        at place: PortOpener, _ reporter: BoardReporter, _ interruption: Interruption,
        _ body: @escaping @Sendable (borrowing BoardSession) async throws -> ExitReason
    ) async -> Result<ExitReason, CommandFailure> {
        let extent = FlashExtent()
        do {
            return .success(try await session(at: place, reporter, extent, body))
        } catch {
            var failure = CommandFailure(error, .flashFailed)
            if let signal = interruption.reason {
                failure = extent.interrupted(by: signal)
            }
            reporter.failed(failure)
            return .failure(failure)
        }
    }

    private func session(
        at place: PortOpener, _ reporter: BoardReporter, _ extent: FlashExtent,
        _ body: (borrowing BoardSession) async throws -> ExitReason
    ) async throws -> ExitReason {
        let port = try await place.open()
        let reason: ExitReason
        do {
            let flasher = Flasher(port: port, clock: place.clock)
            reporter.phase("connecting", "connecting to \(port.name)")
            let stub = ChosenStub()
            let board = try await open(flasher, port, stub)
            reporter.found(board)
            if let failure = chip.flatMap({ CommandFailure(chipOption: $0, board.chip) }) {
                _ = try? await flasher.reset(after, of: board)
                throw failure
            }
            if !board.isVirtual { reporter.uses(stub.loaded) }
            let session = BoardSession(
                flasher: flasher, board: board, port: port, reporter: reporter, extent: extent)
            do {
                reason = try await body(session)
            } catch {
                // A board whose flash has not changed continues with its application.
                if extent.isUntouched { _ = try? await flasher.reset(after, of: board) }
                throw error
            }
            if !extent.isRestarted { try await session.reset(after) }
        } catch {
            await port.close()
            throw error
        }
        await port.close()
        return reason
    }
}

extension BoardSessions {
    /// Opens the session. If the modem lines have put the board into its loader but the session fails, the board is
    /// reset to its application.
    private func open(
        _ flasher: Flasher, _ port: any SerialPort, _ stub: ChosenStub
    ) async throws -> ConnectedBoard {
        let options = stub.observing(options)
        do throws(FlasherError) {
            return try await flasher.open(options)
        } catch {
            if port.hasModemLines, options.connect.reset != .none { _ = try? await flasher.reset(after) }
            throw error
        }
    }
}

extension CommandFailure {
    /// The failure of a command with `--chip` on a board that has another chip; `nil` for the same one.
    package init?(chipOption chip: Chip, _ found: Chip) {
        guard chip != found else { return nil }
        self.init(
            .refused, "--chip \(chip.identifier): expected a board with the \(chip.name), got the \(found.name)",
            code: "flash.chipOption")
    }
}

/// The stub that a session has loaded, for its report.
private final class ChosenStub: Sendable {
    private let state = Mutex<StubImage?>(nil)

    /// The stub; `nil`: the session uses the loader in ROM.
    var loaded: StubImage? { state.withLock { $0 } }

    /// `options` whose stub is kept here.
    func observing(_ options: SessionOptions) -> SessionOptions {
        var observed = options
        let choose = options.stub
        observed.stub = { [self] (chip, revision) throws(FlasherError) in
            let stub = try choose(chip, revision)
            state.withLock { $0 = stub }
            return stub
        }
        return observed
    }
}
