import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import SerialPort

/// A board in its loader, passed to the body of a command.
struct BoardSession {
    let flasher: Flasher
    let board: ConnectedBoard
    let port: any SerialPort
    let reporter: BoardReporter
    /// How much of the flash was written, for an interruption.
    let extent: FlashExtent

    /// Resets the board according to `kind`; notifies the user if the board stays in its loader.
    func reset(_ kind: BoardReset) async throws(FlasherError) {
        if try await !flasher.reset(kind, of: board), kind != .stay {
            reporter.note(
                "the board stays in its loader: over a port without DTR and RTS the \(board.chip.name) cannot be "
                    + "restarted; press its reset button, or use --no-stub")
        }
    }
}

/// Runs a command on one board or on several at the same time.
struct BoardSessions: Sendable {
    let addresses: [PortAddress]
    let options: SessionOptions
    let after: BoardReset
    let isJSON: Bool
    let output: Output

    /// Sessions that begin according to `options`, and end with the reset `after`.
    init(_ addresses: [PortAddress], _ options: SessionOptions, after: BoardReset, isJSON: Bool, _ output: Output) {
        self.addresses = addresses
        self.options = options
        self.after = after
        self.isJSON = isJSON
        self.output = output
    }

    /// Sessions with a command's options; a command with only a few short requests needs no stub.
    init(
        _ addresses: [PortAddress], _ options: LoaderOptions, _ environment: Environment, _ output: Output,
        usesStub: Bool = true
    ) throws {
        var session = try options.session(environment)
        if !usesStub { session = SessionOptions(connect: session.connect) }
        self.init(addresses, session, after: options.after, isJSON: options.json, output)
    }

    /// Runs `body` with each board. `body` reports the result; then the board is reset according to the options. A
    /// closed output pipe does not end the work, since the flash would stay incomplete without a message.
    ///
    /// - Returns: `passed`, or with `--json` the exit code of the failure that was printed.
    /// - Throws: ``CommandFailure``, of the first board that failed, after the work on all boards has ended.
    func run(_ body: @escaping @Sendable (borrowing BoardSession) async throws -> Void) async throws -> ExitReason {
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        ClosedPipe.letWritesFail()
        let lines = ProgressLines(count: addresses.count)
        let failures = await withTaskGroup(of: (Int, CommandFailure?).self) { group in
            for (index, address) in addresses.enumerated() {
                let reporter = BoardReporter(
                    port: address.text, index: index, of: addresses.count, lines, isJSON: isJSON, output)
                group.addTask { (index, await run(at: address, reporter, interruption, body)) }
            }
            var result = [CommandFailure?](repeating: nil, count: addresses.count)
            for await (index, failure) in group { result[index] = failure }
            return result
        }
        let all = failures.compactMap { $0 }
        guard let first = all.first else { return .passed }
        if isJSON { return first.status }
        guard addresses.count > 1 else { throw first }
        let ports = zip(addresses, failures).compactMap { $1 == nil ? nil : $0.text }
        throw CommandFailure(
            first.status,
            "\(all.count) of \(addresses.count) boards failed: \(ports.joined(separator: ", "))", code: first.code)
    }

    private func run(
        at address: PortAddress, _ reporter: BoardReporter, _ interruption: Interruption,
        _ body: @escaping @Sendable (borrowing BoardSession) async throws -> Void
    ) async -> CommandFailure? {
        let extent = FlashExtent()
        do {
            let request = BoardInterruption(interruption)
            try await request.cancelling { try await session(at: address, reporter, extent, body) }
            return nil
        } catch {
            var failure = CommandFailure(error, .flashFailed)
            if let signal = interruption.reason {
                failure = extent.interrupted(by: signal)
            }
            reporter.failed(failure)
            return failure
        }
    }

    private func session(
        at address: PortAddress, _ reporter: BoardReporter, _ extent: FlashExtent,
        _ body: (borrowing BoardSession) async throws -> Void
    ) async throws {
        let port = try await Ports.open(address)
        do {
            let flasher = Flasher(port: port, clock: ContinuousClock())
            reporter.phase("connecting", "connecting to \(port.name)")
            let board = try await open(flasher, port)
            reporter.found(board)
            let session = BoardSession(
                flasher: flasher, board: board, port: port, reporter: reporter, extent: extent)
            do {
                try await body(session)
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
    }
}

extension BoardSessions {
    /// Opens the session. If the modem lines have put the board into its loader but the session fails, the board is
    /// reset to its application.
    private func open(_ flasher: Flasher, _ port: any SerialPort) async throws -> ConnectedBoard {
        do throws(FlasherError) {
            return try await flasher.open(options)
        } catch {
            if port.hasModemLines, options.connect.reset != .none { _ = try? await flasher.reset(after) }
            throw error
        }
    }
}

/// Lets the work on each of several boards be cancelled by one interruption.
private struct BoardInterruption {
    private let interruption: Interruption

    init(_ interruption: Interruption) {
        self.interruption = interruption
    }

    /// Runs `body`; a request cancels it.
    func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            let requests = interruption.requests()
            group.addTask {
                for await _ in requests {}
                return false
            }
            defer { group.cancelAll() }
            while let isDone = try await group.next() {
                if isDone { return }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }
}
