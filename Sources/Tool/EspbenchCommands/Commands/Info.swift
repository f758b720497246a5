import ArgumentParser
import ESPFlasher
import ESPImage
import SerialPort

/// `espbench info`.
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what a board is: chip, revision, MAC address, flash, security.",
        discussion:
            "Reads registers, eFuses and the flash's own tables; changes nothing, and resets the board at the end.",
        aliases: ["chip-id", "flash-id", "read-mac", "get-security-info"])

    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { _ in
            let addresses = try await command.ports.addresses(environment, output)
            let sessions = try BoardSessions(
                addresses, command.loader, environment, output, usesStub: command.loader.stub != nil)
            return try await sessions.run { session in
                let information = try await session.flasher.information(of: session.board)
                let record = BoardRecord(information, port: session.port.name)
                output.data(command.loader.json ? try PortRecord.json(record) + "\n" : record.text)
            }
        }
    }
}
