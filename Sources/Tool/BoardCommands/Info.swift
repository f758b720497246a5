import ArgumentParser
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage
import SerialPort

/// `espbench info`.
struct Info: BoardCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print what a board is: chip, revision, MAC address, flash, security.",
        discussion:
            "Reads registers, eFuses and the flash's own tables; changes nothing, and resets the board at the end.",
        aliases: ["chip-id", "flash-id", "read-mac", "get-security-info"])

    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    func run() throws {
        let isJSON = loader.json
        try run(describes: true) { _ in
        } body: { _, session, output in
            let information = try await session.flasher.information(of: session.board)
            let record = BoardRecord(information, port: session.port.name)
            output.data(isJSON ? try JSONLine.text(record) + "\n" : record.text)
        }
    }
}
