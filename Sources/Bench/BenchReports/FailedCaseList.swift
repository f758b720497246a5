import BenchModel

/// The list of failed cases at the end of a run, each with the command that runs it again.
struct FailedCaseList {
    /// How many cases are listed.
    private static let limit = 20
    /// How many instances of one case are listed.
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
        // Instances of one name can only be run together.
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
