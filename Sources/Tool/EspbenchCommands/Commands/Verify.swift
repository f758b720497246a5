import ArgumentParser
import ESPFlasher

/// `espbench verify`.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare a board's flash with files.",
        discussion: """
            Files are given as to 'espbench flash'. The chip computes digests of its flash; nothing is read or written. \
            Exits with \(ExitReason.mismatch.rawValue) when the flash differs.
            """,
        aliases: ["verify-flash"])

    @OptionGroup var content: FlashContentOptions
    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(
        help: ArgumentHelp(
            "Files: ADDRESS=FILE, ADDRESS FILE, or a file that says its address; or a build folder of ESP-IDF.",
            valueName: "files"), completion: .file())
    var words: [String]

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { _ in
            let work: FlashWork
            if command.words.count == 1, let build = try SiliconBuilds.idf(command.words[0], for: nil, output) {
                work = try command.content.work(.build(build))
            } else {
                let arguments = try FlashArguments(command.words, allowsProject: false)
                work = try command.content.work(.files(try arguments.inputs()))
            }
            let addresses = try await command.ports.addresses(environment, output)
            return try await BoardSessions(addresses, command.loader, environment, output).run { session in
                try await VerifyJob().run(work, session)
            }
        }
    }
}
