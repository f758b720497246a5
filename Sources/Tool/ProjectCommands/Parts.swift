import ArgumentParser
internal import BoardParts
import CommandSupport
internal import YAMLReading

/// `espbench parts`.
struct Parts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "List the parts that suites wire to a board, print the page of one, or check a file.",
        discussion: """
            A suite's 'parts' are wired to the virtual board: sensors whose quantities the suite sets, and displays, LEDs \
            or servos whose state it expects. Without a name, lists the parts that come with espbench; with a name, \
            prints its page: wiring, quantities, readings. With a file, checks your own part in YAML \
            (parts/NAME.yaml beside the suite or in a folder above it) and prints its page.
            """)

    @Flag(help: "Print the pages of all parts.")
    var all = false

    @Argument(
        help: ArgumentHelp("A part's name or file.", valueName: "part"), completion: .file(extensions: ["yaml"]))
    var part: String?

    func validate() throws {
        if all, part != nil { throw ValidationError("give a part or --all, not both") }
    }

    func run() throws {
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        let (name, isAll) = (part, all)
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            if isAll {
                output.data(PartCatalogue.builtIn.map(\.page).joined(separator: "\n"))
            } else if let name {
                output.data(try Self.kind(name).page)
            } else {
                output.data(Self.list)
            }
            return .passed
        }
    }

    private static var list: String {
        let width = PartCatalogue.builtIn.map(\.name.count).max() ?? 0
        return PartCatalogue.builtIn.map { kind in
            "\(kind.name)\(String(repeating: " ", count: width - kind.name.count))  \(kind.summary)\n"
        }.joined()
    }

    private static func kind(_ name: String) throws -> PartKind {
        if let kind = PartCatalogue.kind(named: name) { return kind }
        guard name.contains(".") || name.contains("/") else {
            let known = PartCatalogue.builtIn.map(\.name)
            throw CommandFailure(
                .badInput,
                "unknown part '\(name)'\(Suggestion.text(for: name, in: known)), expected a file, or one of: \(known.list)",
                code: "part.unknown")
        }
        guard let text = String(validating: try InputFile.read(name), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(name): expected a text in UTF-8", code: "part.invalid")
        }
        do throws(DocumentError) {
            return try RegisterPartFile.kind(text, file: name)
        } catch {
            throw CommandFailure(.badInput, error.description, code: "part.invalid")
        }
    }
}
