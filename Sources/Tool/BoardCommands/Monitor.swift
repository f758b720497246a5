import ArgumentParser
internal import BenchExecutor
import BoardConsole
import CommandSupport
internal import Console
import FirmwareBuild
import SerialPort

/// `espbench monitor`.
struct Monitor: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Show a board's console with time stamps, and send what is typed.",
        discussion: """
            Ends at Ctrl-], or one second after the end of piped input, unless --until, --fail-on or --timeout is given; \
            an input without a byte, such as /dev/null, does not end it. Ctrl-T Ctrl-H shows the keys. A board on a port \
            is not reset; the virtual board is powered on and boots the flashed sketch. A port that is lost is opened \
            again when it is back.
            """)

    @OptionGroup var board: BoardOptions
    @OptionGroup var monitor: MonitorOptions

    var unusedOptions: [UnusedOptions] { monitor.console.unusedOptions(board) }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (board, options) = (board, monitor)
        var settings = MonitorSettings(options.console, environment, resets: options.reset)
        if board.port != nil { settings.baudRate = options.console.baud }
        let monitored = settings
        let (programs, line) = (options.elf, SerialSettings(baudRate: options.console.baud))
        let reconnects = !options.console.noReconnect
        try CommandRunner.run(output) { executor in
            let crashes = try CrashPrograms.lines(of: programs, environment)
            guard let address = try await board.address(environment, output) else {
                let local = try LocalBoard(
                    flashFile: board.flash.flashFile, seed: environment.randomSeed(), executor, environment)
                return try await local.monitor(output, crashes: crashes, monitored, wallTime: environment.wallTime())
            }
            return try await Self.monitor(
                output, executor, crashes, monitored, environment, reconnects: reconnects
            ) {
                try await Ports.open(address, line)
            }
        }
    }

    /// Monitors the port that `open` opens.
    private static func monitor(
        _ output: Output, _ executor: BenchExecutor, _ crashes: CrashLines, _ settings: MonitorSettings,
        _ environment: Environment, reconnects: Bool, open: @escaping @Sendable () async throws -> any SerialPort
    ) async throws -> ExitReason {
        do {
            let session = MonitorSession(
                port: try await open(), output: output, executor: executor, crashes: crashes, settings: settings,
                reopen: reconnects ? open : nil, wallTime: environment.wallTime())
            return try await session.run()
        } catch let error as SerialPortError {
            var failure = CommandFailure(error, .portFailed)
            failure.status = .portFailed
            throw failure
        }
    }
}
