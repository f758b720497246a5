internal import BenchExecutor
import BenchModel
internal import BLECentral
import BLECentralBackends
internal import BLEClients
import CommandSupport
import MonotonicTime
internal import SourceText

/// The client library's central, for the duration of a command.
enum ClientSession {
    /// True if input and output are a terminal.
    static func isAtTerminal(_ environment: Environment) -> Bool {
        environment.outputIsTerminal && RawTerminal.isInForeground
    }

    /// Runs `body` with a central that is powered on, and closes the central, also at Ctrl-C.
    ///
    /// - Parameters:
    ///   - keepsBonds: whether new bonds are kept in a system's stack that stores bonds itself.
    ///   - takesFlowControl: whether Ctrl-S and Ctrl-Q are keys.
    ///   - takesKeys: whether the command takes keys.
    ///   - log: the log of a long-running command.
    ///   - endsQuietly: true if Ctrl-C is the usual end of the command, not a failure; usually so if the command takes
    ///     keys.
    ///   - closesAtRequest: whether Ctrl-C ends connections at once, and with them the requests that wait for a peer.
    ///   - interruption: is requested by Ctrl-C and other signals.
    static func run(
        _ options: CentralOption, keepsBonds: Bool = false, takesFlowControl: Bool = false, takesKeys: Bool = false,
        log: (options: LogOptions, command: String)? = nil, endsQuietly: Bool? = nil, closesAtRequest: Bool = false,
        interruption: Interruption = Interruption(), _ environment: Environment, _ output: Output,
        _ body: @escaping @Sendable (Central) async throws -> Void
    ) throws {
        let endsQuietly = endsQuietly ?? takesKeys
        let run: @Sendable (BenchExecutor) async throws -> ExitReason = { executor in
            let address = try await CentralChoice(environment).address(options.central, on: executor)
            if case .h4 = address {
            } else if options.bonds != nil {
                throw CommandFailure(.usage, "--bonds needs --central h4:…: \(address) keeps its bonds itself")
            }
            // Created first: on a signal it ends the program itself, without disconnecting.
            let terminal =
                takesKeys && isAtTerminal(environment) ? RawTerminal(takesFlowControl: takesFlowControl) : nil
            defer { terminal?.leave() }
            EndingSignals.watch(interruption)
            defer { EndingSignals.end() }
            let bonds = try BondPlace.store(options.bonds, environment, output)
            let backend = try await CentralBackends.open(
                address, on: executor, bonds: bonds, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"],
                keepsBonds: keepsBonds, powersOn: false)
            let central = Central(backend, on: executor)
            do {
                try await interruption.cancelling {
                    try await central.powerOn()
                    try await body(central)
                } action: {
                    if closesAtRequest { await central.close() }
                }
            } catch {
                await central.close()
                guard let reason = interruption.reason else {
                    throw (error as? CentralError).map { CommandFailure($0) } ?? error
                }
                guard endsQuietly else { throw CommandFailure(.interrupted, "interrupted by \(reason)") }
                return .passed
            }
            await central.close()
            return .passed
        }
        if let log {
            try log.options.run(log.command, environment, output, run)
        } else {
            try CommandRunner.run(output, run)
        }
    }
}

extension ClientLink {
    /// Throws when no connection is possible any more.
    ///
    /// - Parameter noun: the peripheral: `calculator`.
    func checkGoesOn(_ noun: String) throws(CommandFailure) {
        switch self {
        case .notFound:
            throw CommandFailure(
                .noPeer, "no \(noun) was heard within \(ClientLink.searchTime)", code: "central.noPeer")
        case .unavailable(let why): throw CommandFailure(.noCentral, why, code: "central.unavailable")
        case .failed(let why): throw CommandFailure(.linkFailed, why, code: "client.failed")
        case .disconnected, .searching, .connecting, .connected: break
        }
    }
}

/// The events of a serial line over BLE, in notes for its user.
enum BLESerialNotes {
    /// Connects; returns the serial line's name in messages.
    ///
    /// - Throws: ``CommandFailure`` when no connection is possible.
    ///
    /// - Parameters:
    ///   - noun: the board in messages.
    ///   - timeout: the time limit of the first connection; `nil`: no limit but the client's own.
    static func connect(
        _ serial: BLESerial, _ noun: String, within timeout: Duration?, on executor: BenchExecutor, _ output: Output
    ) async throws -> String {
        let events = await serial.events()
        let (firsts, first) = AsyncStream.makeStream(of: Result<String, any Error>.self)
        // The task ends with the command.
        Task { await follow(events, noun, output, first) }
        if let timeout {
            executor.schedule(at: executor.now.advanced(by: timeout)) {
                let late = CommandFailure(
                    .timedOut, "no \(noun) was connected within \(timeout.brief)", code: "serial.timedOut")
                first.yield(.failure(late))
            }
        }
        await serial.connect()
        for await result in firsts { return try result.get() }
        throw CancellationError()
    }

    private static func follow(
        _ events: AsyncStream<BLESerialEvent>, _ noun: String, _ output: Output,
        _ first: AsyncStream<Result<String, any Error>>.Continuation
    ) async {
        var name = "board"
        var isFirst = true
        for await event in events {
            switch event {
            case .opened(let peer, let text, let service, let chunk):
                name = text.map { "\($0.printable) (\(peer))" } ?? "\(peer)"
                output.note("--- connected to \(name), \(service.name), \(chunk) bytes at a time")
                first.yield(.success(name))
                isFirst = false
            case .link(let link):
                do throws(CommandFailure) {
                    try link.checkGoesOn(noun)
                    if let note = text(link, isFirst: isFirst) { output.note("--- \(note)") }
                } catch {
                    if isFirst { first.yield(.failure(error)) }
                }
            case .over: first.finish()
            default:
                if let note = loss(event) { output.note("--- \(note)") }
            }
        }
    }

    private static func text(_ link: ClientLink, isFirst: Bool) -> String? {
        switch link {
        case .disconnected: isFirst ? nil : "disconnected"
        case .connecting(let number):
            isFirst ? (number == 1 ? nil : "connecting, try \(number)") : "connecting again, try \(number)"
        case .searching: isFirst ? "searching" : nil
        default: nil
        }
    }

    private static func loss(_ event: BLESerialEvent) -> String? {
        switch event {
        case .unconfirmed(let count):
            "\(count) bytes were on their way: the board may have lost them, and they are not sent again"
        case .overflowBegan: "nobody reads: what is received from now on is lost"
        case .overflow(let count): "\(count) received bytes were lost, since nobody read them"
        case .boardLost(let fromClient, let fromUART):
            "the board has lost \(fromClient) bytes for its UART and \(fromUART) bytes of its UART"
        case .unsent(let count): "\(count) bytes were not sent"
        case .link, .opened, .over: nil
        }
    }
}
