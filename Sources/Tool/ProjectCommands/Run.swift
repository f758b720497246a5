import ArgumentParser
internal import BenchExecutor
import BoardConsole
import CommandSupport
internal import Console
import FirmwareBuild
import SerialPort

/// `espbench run`.
struct Run: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Build a sketch, flash it, and show its console.",
        discussion: "Ends as 'espbench monitor' does, e.g. at Ctrl-]; Ctrl-T Ctrl-H shows the other keys.")

    @OptionGroup var project: ProjectOptions
    @OptionGroup var board: BoardOptions
    @OptionGroup var sanitizing: SanitizeOption
    @OptionGroup var console: ConsoleOptions

    @Argument(help: ProjectOptions.sketchHelp, completion: Completions.sketches)
    var sketch: String?

    var unusedOptions: [UnusedOptions] { console.unusedOptions(board) }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (options, sketch, board, sanitize) = (project, sketch, board, sanitizing.sanitize)
        let (settings, console) = (MonitorSettings(console, environment), console)
        try CommandRunner.run(output) { executor in
            let project = try Project(options, isSanitized: sanitize, environment)
            let built = try await project.build(try project.sketch(sketch), output)
            let crashes = CrashLines(symbols: Addr2line(program: built.compiled.symbols))
            if let address = try await board.address(environment, output) {
                return try await Self.flashAndMonitor(
                    built, at: address, executor, output, crashes, settings, console, environment)
            } else {
                let local = try LocalBoard(
                    flashFile: board.flash.flashFile, seed: environment.randomSeed(), executor, environment)
                try await local.flash(built.layout, output)
                return try await local.monitor(
                    output, crashes: crashes, settings, wallTime: environment.wallTime())
            }
        }
    }

    /// Flashes the board at `address` and shows its console.
    private static func flashAndMonitor(
        _ built: BuiltFirmware, at address: PortAddress, _ executor: BenchExecutor, _ output: Output,
        _ crashes: CrashLines, _ settings: MonitorSettings, _ console: ConsoleOptions, _ environment: Environment
    ) async throws -> ExitReason {
        let line = SerialSettings(baudRate: console.baud)
        let reopen: @Sendable () async throws -> any SerialPort = { try await Ports.open(address, line) }
        let sessions = BoardSessions([PortOpener(address)], .usual(environment), output)
        return try await sessions.run { session in
            try await FlashJob().run(built.layout, session)
            if line != .default { try await session.port.configure(line) }
            return try await session.monitor(
                output, executor, crashes: crashes, settings, reopen: console.noReconnect ? nil : reopen,
                wallTime: environment.wallTime())
        }
    }
}
