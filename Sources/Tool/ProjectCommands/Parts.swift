import ArgumentParser
internal import BoardParts
import CommandSupport
internal import YAMLReading

/// `espbench parts`.
struct Parts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "List the parts that suites wire to a board, print the page of one, or check a file or diagram.",
        discussion: """
            A suite's 'parts' are wired to the virtual board: sensors whose quantities the suite sets, and displays, LEDs \
            or servos whose state it expects. Without a name, lists the parts that come with espbench; with a name, \
            prints its page: wiring, quantities, readings. With a file, checks your own part in YAML \
            (parts/NAME.yaml beside the suite or in a folder above it) and prints its page. With a diagram of Wokwi \
            (diagram.json), prints the parts that a suite gets from it, and on standard error what it has and has no \
            effect.
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
            } else if let name, name.hasSuffix(".json") {
                let parts = try Self.diagram(name)
                for note in parts.notes { output.note("note: \(note)") }
                output.data(parts.entries.map { "\($0.part.text)\n" }.joined())
                let values = parts.entries.flatMap(\.part.firstValues)
                if !values.isEmpty { output.data("# set: {\(values.joined(separator: ", "))}\n") }
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
        return try read(name) { text throws(DocumentError) in try RegisterPartFile.kind(text, file: name) }
    }

    private static func diagram(_ name: String) throws -> PartReader.Parts {
        try read(name) { text throws(DocumentError) in try PartReader.parts(diagram: text, file: name, reserved: []) }
    }

    private static func read<Contents>(
        _ name: String, _ reader: (String) throws(DocumentError) -> Contents
    ) throws -> Contents {
        guard let text = String(validating: try InputFile.read(name), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(name): expected a text in UTF-8", code: "part.invalid")
        }
        do throws(DocumentError) {
            return try reader(text)
        } catch {
            throw CommandFailure(.badInput, error.description, code: "part.invalid")
        }
    }
}
