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
    ///   - takesKeys: whether the command takes keys, so that Ctrl-C is its usual end, and no failure.
    static func run(
        _ options: CentralOption, keepsBonds: Bool = false, takesFlowControl: Bool = false, takesKeys: Bool,
        _ environment: Environment,
        _ output: Output,
        _ body: @escaping @Sendable (Central) async throws -> Void
    ) throws {
        try CommandRunner.run(output, allowsClosedPipe: takesKeys) { executor in
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
                }
            } catch {
                await central.close()
                guard let reason = interruption.reason else {
                    throw (error as? CentralError).map { CommandFailure($0) } ?? error
                }
                guard takesKeys else { throw CommandFailure(.interrupted, "interrupted by \(reason)") }
                return .passed
            }
            await central.close()
            return .passed
        }
    }
}
