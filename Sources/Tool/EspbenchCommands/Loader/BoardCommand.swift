import ArgumentParser
import ESPFlasher
import SerialPort

/// A command that does the same with the board of each port.
protocol BoardCommand: ParsableCommand, Sendable {
    var ports: PortOptions { get }
    var loader: LoaderOptions { get }
}

extension BoardCommand {
    /// Runs the command.
    ///
    /// - Parameters:
    ///   - usesStub: whether the stub is worth its loading time.
    ///   - prepare: reads and checks the arguments, before a port is opened.
    ///   - confirm: asks the user before the boards are touched.
    ///   - body: the work on one board.
    func run<Work: Sendable>(
        usesStub: Bool = true,
        prepare: @escaping @Sendable (Output) throws -> Work,
        confirm: @escaping @Sendable (Work, [PortAddress], Environment, Output) throws -> Void = { _, _, _, _ in },
        body: @escaping @Sendable (Work, borrowing BoardSession, Output) async throws -> Void
    ) throws {
        let environment = Environment.process
        let output = Output(environment)
        let (ports, loader) = (ports, loader)
        try CommandRunner.run(output) { _ in
            let work = try prepare(output)
            let addresses = try await ports.addresses(environment, output)
            try confirm(work, addresses, environment, output)
            let sessions = try BoardSessions(addresses, loader, environment, output, usesStub: usesStub)
            return try await sessions.run { try await body(work, $0, output) }
        }
    }
}
