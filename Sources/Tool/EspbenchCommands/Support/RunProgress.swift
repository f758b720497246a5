import BenchModel
import BenchReports

/// Shows each suite's cases as they end: as data, or as notes beside JSON.
final class RunProgress: RunObserver {
    private let output: Output
    private let report: ConsoleReport
    private let interruption: Interruption
    private let isJSON: Bool

    /// The progress of a run.
    init(_ report: ConsoleReport, _ output: Output, isJSON: Bool, _ interruption: Interruption) {
        self.report = report
        self.output = output
        self.isJSON = isJSON
        self.interruption = interruption
    }

    func receive(_ item: RunItem) {
        switch item {
        case .suiteStarted(let suite): show(report.heading(suite))
        case .advanced(let completed, let suite):
            output.progress(suite.name, completed: completed, of: suite.instanceCount)
        case .caseEnded(let result, let suite): show(report.text(result, file: suite.file))
        case .event, .instanceEnded, .suiteEnded: break
        }
    }

    private func show(_ text: String) {
        if isJSON { output.note(String(text.dropLast())) } else { output.data(text) }
        // The results could not be shown.
        if output.isDataLost { interruption.request("the loss of standard output") }
    }
}
