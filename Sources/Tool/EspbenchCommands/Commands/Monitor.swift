import ArgumentParser
internal import Console
import FirmwareBuild
import SerialPort

/// `espbench monitor`.
struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a board's console with time stamps, and send what is typed.",
        discussion: """
            Ends at Ctrl-], or one second after the end of standard input. A board on a port is not reset; the virtual \
            board is powered on and boots the flashed sketch.
            """)

    @OptionGroup var board: BoardOptions

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let board = board
        let builds = SymbolFiles(cache: environment.folders.builds)
        let crashes = CrashLines(symbols: nil) { builds.resolver(digest: $0) }
        try CommandRunner.run(output) { executor in
            if let address = try await board.address(environment, output) {
                try await MonitorSession.run(at: address, executor, output, crashes: crashes)
            } else {
                let local = try LocalBoard(
                    flashFile: board.flash.flashFile, seed: environment.randomSeed(), executor, environment)
                try await local.monitor(output, crashes: crashes)
            }
            return .passed
        }
    }
}
