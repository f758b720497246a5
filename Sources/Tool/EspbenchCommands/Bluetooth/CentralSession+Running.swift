internal import BLECentral
import BLECentralBackends
internal import BenchExecutor

extension CentralSession {
    /// Runs a command on a central: opens the stack, runs `body`, and ends the session, also at Ctrl-C.
    ///
    /// - Parameters:
    ///   - peer: the options with which pairings are answered; `nil` where the command does not connect.
    ///   - keepsBonds: whether new bonds stay in a stack of the system that stores them itself.
    ///   - log: what is kept of a command that may run long.
    ///   - endsQuietly: whether Ctrl-C is the usual end of the command, and no failure.
    static func run(
        _ options: CentralOption, peer: PeerOptions? = nil, keepsBonds: Bool = false,
        log: (options: LogOptions, command: String)? = nil, endsQuietly: Bool = false, _ environment: Environment,
        _ output: Output,
        _ body: @escaping @Sendable (CentralSession) async throws -> Void
    ) throws {
        let run: @Sendable (BenchExecutor) async throws -> ExitReason = { executor in
            let address = try await CentralChoice(environment).address(options.central, on: executor)
            let interruption = Interruption()
            EndingSignals.watch(interruption)
            defer { EndingSignals.end() }
            let bonds = try BondPlace.store(options.bonds, environment, output)
            let backend = try await CentralBackends.open(
                address, on: executor, bonds: bonds, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"],
                keepsBonds: keepsBonds, powersOn: false)
            let session = CentralSession(backend, executor, PairingPrompt(peer, environment, output))
            do {
                try await session.work(interruption, body)
            } catch {
                guard let reason = interruption.reason else { throw error }
                guard endsQuietly else { throw CommandFailure(.interrupted, "interrupted by \(reason)") }
            }
            return .passed
        }
        if let log {
            try log.options.run(log.command, environment, output, allowsClosedPipe: endsQuietly, run)
        } else {
            try CommandRunner.run(output, allowsClosedPipe: endsQuietly, run)
        }
    }

    /// Runs `body` until its end or a request to end it.
    private func work(
        _ interruption: Interruption, _ body: @escaping @Sendable (CentralSession) async throws -> Void
    ) async throws {
        let work = Task(executorPreference: executor) {
            try await self.begin()
            try await body(self)
        }
        // What waits for the peer ends with the connection.
        let abortion = Task(executorPreference: executor) {
            for await _ in interruption.requests() {}
            guard interruption.reason != nil else { return }
            work.cancel()
            await self.end()
        }
        let result = await work.result
        abortion.cancel()
        if case .failure(let error) = result {
            let cause = await cause(of: error)
            await end()
            throw cause
        }
        if let failure = await end() { throw failure }
    }
}
