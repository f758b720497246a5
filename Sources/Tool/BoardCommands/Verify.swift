import ArgumentParser
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage

/// `espbench verify`.
struct Verify: BoardCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare a board's flash with files.",
        discussion: """
            Files are given as for 'espbench flash'; a sketch is not built. The chip computes digests of its flash; \
            nothing is read or written. Exits with \(ExitReason.mismatch.rawValue) when the flash differs.
            """,
        aliases: ["verify-flash"])

    @OptionGroup var content: FlashContentOptions
    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(
        help: ArgumentHelp(
            """
            Files: ADDRESS=FILE, PARTITION=FILE, ADDRESS FILE, or a file that contains or implies its address; or a \
            build folder of ESP-IDF.
            """,
            valueName: "files"), completion: .file())
    var words: [String]

    func run() throws {
        let (words, content) = (words, content)
        try run { output in
            if words.count == 1, let build = try SiliconBuilds.idf(words[0], for: nil, output) {
                return try content.work(.build(build))
            }
            return try content.work(.files(try FlashArguments(words, allowsProject: false).inputs(isRaw: content.raw)))
        } body: { work, session, _ in
            let (reporter, layout) = (session.reporter, try await work.content(in: session).layout)
            let differences = try await session.flasher.verify(layout, on: session.board) { reporter.progress($0) }
            if let failure = CommandFailure(differences) { throw failure }
            let size = layout.regions.reduce(0) { $0 + $1.bytes.count }
            reporter.succeeded("the flash holds these \(size) bytes")
        }
    }
}
