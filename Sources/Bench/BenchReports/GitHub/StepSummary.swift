public import BenchModel
import MonotonicTime

/// A run in the Markdown of GitHub, for the summary of a workflow's step.
public struct StepSummary: Sendable {
    /// GitHub takes 1 MiB for a step, which other programs may use as well.
    private static let maximumSize = 256 * 1024

    private let text: FailureText

    /// Summaries of a run whose cases `rerun` runs again.
    public init(rerun: RerunCommand, descriptions: SuiteDescriptions = SuiteDescriptions()) {
        text = FailureText(rerun: rerun, descriptions: descriptions)
    }

    /// A table of the suites, and below it each failure; failures beyond the size that GitHub takes are counted.
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

    /// `text` as it is; the fence is longer than any in the text.
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

    /// `text` in a cell of a table.
    private static func cell(_ text: String) -> String {
        html(text).map { "\\`*_[]|~#".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// `text` on one line, without what HTML would interpret.
    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
