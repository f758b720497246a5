internal import BLECentral
import BLECentralBackends
internal import BenchExecutor

/// The client library's central for the time of a command.
enum ClientSession {
    /// Whether keys are typed at a terminal, and what happens is read there.
    static func isAtTerminal(_ environment: Environment) -> Bool {
        environment.outputIsTerminal && RawTerminal.isInForeground
    }

    /// Runs `body` with a central that is powered on, and closes it, also at Ctrl-C.
    ///
    /// - Parameters:
    ///   - keepsBonds: whether new bonds stay in a stack of the system that stores them itself.
    ///   - takesFlowControl: whether Ctrl-S and Ctrl-Q are keys.
    ///   - takesKeys: whether the command takes keys.
    ///   - log: the log of a command that may run long.
    ///   - endsQuietly: whether Ctrl-C is the usual end of the command, and no failure; as a rule if it takes keys.
    ///   - closesAtRequest: whether Ctrl-C ends connections at once: requests that wait for a peer end with them.
    static func run(
        _ options: CentralOption, keepsBonds: Bool = false, takesFlowControl: Bool = false, takesKeys: Bool = false,
        log: (options: LogOptions, command: String)? = nil, endsQuietly: Bool? = nil, closesAtRequest: Bool = false,
        _ environment: Environment,
        _ output: Output,
        _ body: @escaping @Sendable (Central) async throws -> Void
    ) throws {
        let endsQuietly = endsQuietly ?? takesKeys
        let run: @Sendable (BenchExecutor) async throws -> ExitReason = { executor in
            let address = try await CentralChoice(environment).address(options.central, on: executor)
            let interruption = Interruption()
            // First: it ends at signals in its own way, and does not disconnect.
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
            try log.options.run(log.command, environment, output, allowsClosedPipe: endsQuietly, run)
        } else {
            try CommandRunner.run(output, allowsClosedPipe: endsQuietly, run)
        }
    }
}
