import BenchModel
package import BenchReports

/// The step of a GitHub workflow that runs this program. It shows errors at their places in the sources, and a summary.
package struct GitHubActions: Sendable {
    private let sources: SourcePaths
    private let summaryPath: String?

    /// The step that runs this program; `nil`: no step does.
    package init?(_ environment: Environment) {
        guard environment.variables["GITHUB_ACTIONS"] == "true" else { return nil }
        sources = SourcePaths(environment)
        summaryPath = environment.variables["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Marks the failed cases of a run, and adds the run to the step's summary, with the commands of `rerun`. An error
    /// while writing the summary is not a failure of the run.
    package func show(
        _ results: [SuiteResult], _ outcome: RunOutcome, _ rerun: RerunCommand, _ descriptions: SuiteDescriptions,
        _ output: Output
    ) {
        for command in WorkflowCommand.errors(of: results, path: sources.relative) { output.note(command) }
        guard let summaryPath else { return }
        let markdown = StepSummary(rerun: rerun, descriptions: descriptions).markdown(results, outcome)
        if let fault = OutputFile.append(Array(markdown.utf8), to: summaryPath) {
            output.note("warning: GITHUB_STEP_SUMMARY \(summaryPath) could not be written: \(fault)")
        }
    }

    /// Marks why a command failed.
    func show(_ failure: CommandFailure, _ output: Output) {
        for command in WorkflowCommand.errors(of: failure.outcome, path: sources.relative) { output.note(command) }
    }
}
