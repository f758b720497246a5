public import BenchModel
import MonotonicTime

/// A run as GitHub Markdown, for the summary of a workflow step.
public struct StepSummary: Sendable {
    /// GitHub accepts 1 MiB per step, which other programs in the step may use as well.
    private static let maximumSize = 256 * 1024

    private let text: FailureText

    /// Summaries of a run; `rerun` gives the commands that run its cases again.
    public init(rerun: RerunCommand, descriptions: SuiteDescriptions = SuiteDescriptions()) {
        text = FailureText(rerun: rerun, descriptions: descriptions)
    }

    /// A table of the suites, and below it each failure; failures beyond ``maximumSize`` are only counted.
    public func markdown(_ results: [SuiteResult], _ outcome: RunOutcome) -> String {
        var markdown = "### espbench: \(outcome.name)\n\n"
        if let fault = outcome.error {
            markdown += Self.code(fault.message + (fault.hint.map { "\nhint: \($0)" } ?? "")) + "\n"
        }
        guard !results.isEmpty else { return markdown }
        markdown += "| suite | passed | failed | skipped | bench time |\n|---|--:|--:|--:|--:|\n"
        for result in results {
            let counts = result.counts
            let numbers = [counts.passed, counts.failed, counts.skipped].map(\.grouped).joined(separator: " | ")
            let time = result.started.duration(to: result.ended).brief
            markdown += "| \(Self.cell(result.name)) | \(numbers) | \(time) |\n"
        }
        let firmware = ConsoleReport.firmware(results)
        if !firmware.isEmpty { markdown += "\nBuilt with \(Self.cell(firmware.joined(separator: ", "))).\n" }
        for result in results {
            for instance in result.cases.flatMap(\.retried) {
                markdown += "\nPassed only when run again: \(Self.cell(FailureText.line(instance)))\n"
            }
        }
        let failures = results.flatMap { result in result.failures.map { (result.file, $0) } }
        for (index, (file, failure)) in failures.enumerated() {
            let section =
                "\n<details><summary>\(Self.html(FailureText.line(failure)))</summary>\n\n"
                + Self.code(text.details(failure, file: file)) + "\n</details>\n"
            guard markdown.utf8.count + section.utf8.count < Self.maximumSize else {
                return markdown + "\nand \((failures.count - index).of("more failure")).\n"
            }
            markdown += section
        }
        return markdown
    }

    /// `text` unchanged in a code block; the fence is longer than any fence in the text.
    private static func code(_ text: String) -> String {
        var longest = 2
        var length = 0
        for character in text {
            length = character == "`" ? length + 1 : 0
            longest = max(longest, length)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)text\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    }

    /// `text` escaped for a cell of a table.
    private static func cell(_ text: String) -> String {
        html(text).map { "\\`*_[]|~#".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// `text` on one line, with HTML escaped.
    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// The commands with which a step of a GitHub workflow marks places of the sources.
///
/// GitHub reads them from a step's output and shows at most ten errors of a step.
public enum WorkflowCommand {
    /// The maximum number of errors of a step that GitHub shows.
    public static let maximumCount = 10

    /// `::error file=…,line=…,col=…,title=…::message`.
    public static func error(
        _ message: String, title: String, file: String? = nil, position: SourcePosition? = nil
    ) -> String {
        var properties: [String] = []
        if let file { properties.append("file=\(property(file))") }
        if let position { properties += ["line=\(position.line)", "col=\(position.column)"] }
        properties.append("title=\(property(title))")
        return "::error \(properties.joined(separator: ","))::\(data(message))"
    }

    /// The commands for the errors that ended a run or another command early, at most ``maximumCount``; `path` makes a
    /// file's path relative to the repository's root.
    public static func errors(of outcome: RunOutcome, path: (String) -> String) -> [String] {
        guard let fault = outcome.error else { return [] }
        let title = "espbench: \(outcome.name)"
        guard !fault.diagnostics.isEmpty else { return [error(fault.message, title: title)] }
        return fault.diagnostics.prefix(maximumCount).map { diagnostic in
            error(diagnostic.message, title: title, file: path(diagnostic.file), position: diagnostic.position)
        }
    }

    /// The commands for the failures in `results`, at most ``maximumCount``.
    public static func errors(of results: [SuiteResult], path: (String) -> String) -> [String] {
        let failures = results.flatMap { result in result.failures.map { (result, $0) } }
        return failures.prefix(maximumCount).map { result, instance in
            let failure = instance.failure
            return error(
                "expected \(failure.expected)\ngot \(failure.got)", title: "\(result.name): \(instance.name)",
                file: path(result.file), position: failure.position)
        }
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
