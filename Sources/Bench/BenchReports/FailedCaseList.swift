public import BenchModel

/// The list of failed cases at the end of a run, each with the command that runs it again.
struct FailedCaseList {
    /// The maximum number of listed cases.
    private static let limit = 20
    /// The maximum number of listed instances of one case.
    private static let instances = 3

    private struct Entry {
        let title: String
        let command: [String]
    }

    private var entries: [Entry] = []
    private var omitted = 0
    private let all: [String]?

    init(_ results: [SuiteResult], rerun: RerunCommand) {
        all = rerun.wordsForAll
        for suite in results {
            for result in suite.cases where result.counts.failed > 0 {
                guard entries.count < Self.limit else {
                    omitted += 1
                    continue
                }
                add(result, suite.file, rerun)
            }
        }
    }

    private mutating func add(_ result: CaseResult, _ file: String, _ rerun: RerunCommand) {
        let place = "\(file):\(result.position.line)"
        // Instances with the same name can only be run together.
        let names = Set(result.failures.map(\.name))
        guard result.counts.failed > 1, names.count == result.failures.count else {
            let name = result.failures.first?.name ?? result.name
            let count = result.counts.failed > 1 ? "  \(result.counts.failed.grouped) failed" : ""
            entries.append(Entry(title: "\(place)  \(name)\(count)", command: rerun.words(case: name, file: file)))
            return
        }
        for failure in result.failures.prefix(Self.instances) {
            entries.append(
                Entry(title: "\(place)  \(failure.name)", command: rerun.words(case: failure.name, file: file)))
        }
        let rest = result.counts.failed - Self.instances
        guard rest > 0 else { return }
        entries.append(
            Entry(
                title: "\(place)  \(result.name)  \(rest.grouped) more failed",
                command: rerun.words(case: result.name, file: file)))
    }

    /// The list; empty when nothing failed.
    func text(_ style: TerminalStyle) -> String {
        guard !entries.isEmpty else { return "" }
        var text = Paragraph("failed, and how to run it again:", .strong).text(indent: 0, hanging: 2, style)
        for entry in entries {
            text += Paragraph(entry.title, .bad).text(indent: 2, hanging: 4, style)
            text += Self.text(entry.command, style)
        }
        if omitted > 0 { text += "  and \(omitted.of("more case"))\n" }
        if entries.count > 1, let all { text += "  all of them\n" + Self.text(all, style) }
        return text
    }

    /// A shell continues a line after a backslash, so that a command can be copied from a narrow terminal.
    private static func text(_ command: [String], _ style: TerminalStyle) -> String {
        var paragraph = Paragraph()
        for word in command { paragraph.add(word: word) }
        return paragraph.text(indent: 4, hanging: 6, style, breaks: " \\")
    }
}

/// The commands that run failed cases again, as typed into a POSIX shell.
public struct RerunCommand: Sendable, Hashable {
    private let program: String
    private let options: [String]
    let seed: UInt64
    private let remembersFailures: Bool

    /// Commands for a run with this seed.
    ///
    /// - Parameters:
    ///   - program: the program as it was called.
    ///   - options: the options of the run that affect its results, e.g. `--project`, `lamp`.
    ///   - remembersFailures: true if `--last-failed` runs all failed instances.
    public init(
        program: String = "espbench", options: [String] = [], seed: UInt64, remembersFailures: Bool = false
    ) {
        self.remembersFailures = remembersFailures
        self.program = program
        self.options = options
        self.seed = seed
    }

    /// The command for `failure` of the suite in `file`, which is relative to the working folder or absolute.
    public func text(_ failure: InstanceFailure, file: String) -> String {
        words(case: failure.name, file: file).joined(separator: " ")
    }

    /// The quoted words of the command that runs all failed instances; `nil`: no such command.
    var wordsForAll: [String]? {
        remembersFailures ? ([program, "test", "--last-failed"] + options).map(Self.quoted) : nil
    }

    /// The quoted words of the command for the case or instance of this name.
    func words(case name: String, file: String) -> [String] {
        // A file name that begins with a hyphen would be read as an option.
        let file = file.hasPrefix("-") ? "./" + file : file
        let selection = name.hasPrefix("-") ? ["--case=" + name] : ["--case", name]
        return ([program, "test", file] + options + ["--seed", "\(seed)"] + selection).map(Self.quoted)
    }

    /// `word`, quoted as one word of a POSIX shell.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        // Processed scalar by scalar: a quote with a combining accent is another character, but still ends the word in
        // a shell.
        let scalars = word.unicodeScalars.reduce(into: String.UnicodeScalarView()) { scalars, scalar in
            scalars += (scalar == "'" ? "'\\''" : String(scalar)).unicodeScalars
        }
        return "'" + String(scalars) + "'"
    }
}
