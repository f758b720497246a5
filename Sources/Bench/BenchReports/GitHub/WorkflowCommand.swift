public import BenchModel

/// The commands with which a step of a GitHub workflow marks places of the sources.
///
/// GitHub reads them from the lines of a step's output and shows ten errors of a step.
public enum WorkflowCommand {
    /// How many errors of a step GitHub shows.
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

    /// The commands for what kept a run or another command from its end, at most ``maximumCount``; `path` is how GitHub
    /// names a file: relative to the repository's root.
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
