import BenchModel
internal import BenchReports
import CommandSupport
import Synchronization

/// Shows each suite's cases as they end, unless the results are printed as JSON.
final class RunProgress: RunObserver {
    /// The reason for ending a run whose results cannot be printed.
    static let dataLoss = "the loss of standard output"

    private struct State {
        /// The heading of the suite, until a line is shown below it.
        var heading = ""
        /// The first instance of a case, kept until the second instance ends: a case with one instance is shown only as
        /// a case.
        var first: InstanceResult?
        var instances = 0
    }

    private let output: Output
    private let report: ConsoleReport
    private let interruption: Interruption
    private let isJSON: Bool
    private let verbosity: Verbosity
    private let state = Mutex(State())

    /// The progress of a run.
    init(
        _ report: ConsoleReport, _ output: Output, isJSON: Bool, _ verbosity: Verbosity = .normal,
        _ interruption: Interruption
    ) {
        self.verbosity = verbosity
        self.report = report
        self.output = output
        self.isJSON = isJSON
        self.interruption = interruption
    }

    func receive(_ item: RunItem) {
        switch item {
        case .suiteStarted(let suite):
            state.withLock { $0.heading = report.heading(suite) }
            if verbosity != .quiet { showHeading() }
        case .advanced(let completed, let suite):
            output.progress(suite.name, completed: completed, of: suite.instanceCount)
        case .instanceEnded(let result): show(result)
        case .caseEnded(let result, let suite):
            state.withLock { $0.instances = 0 }
            guard verbosity != .quiet || result.counts.failed > 0 else { return }
            showHeading()
            show(report.text(result, file: suite.file))
        case .event, .suiteEnded: break
        }
    }

    var wantsInstances: Bool { verbosity == .verbose }

    private func show(_ instance: InstanceResult) {
        guard verbosity == .verbose else { return }
        let due = state.withLock { state -> [InstanceResult] in
            state.instances += 1
            if state.instances == 1 {
                state.first = instance
                return []
            }
            let first = state.first
            state.first = nil
            return (first.map { [$0] } ?? []) + [instance]
        }
        for instance in due { show(report.text(instance)) }
    }

    private func showHeading() {
        let heading = state.withLock { state in
            defer { state.heading = "" }
            return state.heading
        }
        if !heading.isEmpty { show(heading) }
    }

    private func show(_ text: String) {
        guard !isJSON else { return }
        output.data(text)
        if output.isDataLost { interruption.request(Self.dataLoss) }
    }
}
