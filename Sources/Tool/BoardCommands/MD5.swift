import ArgumentParser
internal import ByteCodec
import BoardConsole
import CommandSupport
import ESPFlasher
import SerialPort

/// `espbench md5`.
struct MD5: BoardCommand {
    static let configuration = CommandConfiguration(
        commandName: "md5",
        abstract: "Print the MD5 digest of a part of a board's flash, computed by the chip.",
        discussion: """
            Without a range, prints the digest of the whole flash. The output has the format of md5sum, with the port \
            as the file name.
            """)

    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(help: ArgumentHelp(FlashRange.help, valueName: "range"))
    var words: [String] = []

    func run() throws {
        let (words, isJSON) = (words, loader.json)
        try run { _ in
            try FlashRange(words)
        } body: { range, session, output in
            try session.board.checkPermits("computing a digest of the flash")
            let part = try await range.addresses(in: session)
            let text = Hexadecimal.string(try await session.flasher.digest(part, of: session.board))
            if !isJSON { output.data("\(text)  \(session.port.name)\n") }
            session.reporter.succeeded("") { event in
                (event.md5, event.total, event.address) = (text, part.count, UInt32(part.lowerBound))
            }
        }
    }
}
