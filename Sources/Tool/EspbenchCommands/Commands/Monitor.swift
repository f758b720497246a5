import ArgumentParser
import SerialPort

/// `espbench monitor`.
struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a board's console with time stamps, and send what is typed.",
        discussion: """
            Ctrl-] leaves; so does the end of standard input, one second later. A board on a port is not reset; a \
            virtual one is powered and boots what it has.
            """)

    @OptionGroup var board: BoardOptions

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let board = board
        try CommandRunner.run(output) { executor in
            if let address = board.port {
                try await MonitorSession.run(at: address, executor, output)
            } else {
                let local = try LocalBoard(
                    flashFile: board.flash.flashFile, seed: environment.chance(), executor, environment)
                try await local.monitor(output)
            }
            return .passed
        }
    }
}
