import BenchModel

/// A failure as text for reports that other programs show.
struct FailureText: Sendable {
    private let rerun: RerunCommand
    private let failures: CaseFailures

    /// Texts of a run whose cases `rerun` runs again.
    init(rerun: RerunCommand, descriptions: SuiteDescriptions) {
        self.rerun = rerun
        failures = CaseFailures(style: TerminalStyle(isColoured: false), descriptions: descriptions)
    }

    /// Everything that the console shows of it, and the command that runs it again.
    func details(_ instance: InstanceFailure, file: String) -> String {
        let details = failures.details(instance, file: file, indent: 2)
        return "\(instance.name)\n\(details)  run again: \(rerun.text(instance, file: file))\n"
    }

    /// One line.
    static func line(_ instance: InstanceFailure) -> String {
        "\(instance.name): expected \(instance.failure.expected), got \(instance.failure.got)"
    }

    /// The lines of the board's console before it; those of several boards with their names.
    static func console(_ failure: Failure) -> String {
        failure.context.compactMap { event in
            guard let line = event.payload as? ConsoleLineReceived else { return nil }
            return (event.source == "console" ? "" : "\(event.source): ") + line.text + "\n"
        }.joined()
    }
}
