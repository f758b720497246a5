import ArgumentParser
import ESPFlasher
import SerialPort

/// `espbench md5`.
struct MD5: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the MD5 digest of a part of a board's flash, computed by the chip.",
        discussion: "Without a range, of all of the flash. The output is that of md5sum, with the port as the name.")

    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(help: ArgumentHelp(FlashRange.help, valueName: "range"))
    var words: [String] = []

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { _ in
            let range = try FlashRange(command.words)
            let addresses = try await command.ports.addresses(environment, output)
            return try await BoardSessions(addresses, command.loader, environment, output).run { session in
                try session.board.checkPermits("computing a digest of the flash")
                let part = try await range.addresses(in: session)
                let digest = try await session.flasher.digest(part, of: session.board)
                let text = digest.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                if !command.loader.json { output.data("\(text)  \(session.port.name)\n") }
                session.reporter.succeeded("") { event in
                    (event.md5, event.total, event.address) = (text, part.count, UInt32(part.lowerBound))
                }
            }
        }
    }
}
