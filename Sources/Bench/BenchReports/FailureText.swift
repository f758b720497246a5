import BenchModel

/// A failure as text for reports that other programs show.
struct FailureText: Sendable {
    private let report: ConsoleReport

    /// Texts of a run with this seed.
    init(seed: UInt64) {
        report = ConsoleReport(style: TerminalStyle(isColoured: false), seed: seed)
    }

    /// Everything that the console shows of it, without the indentation that all lines have.
    func details(_ instance: InstanceFailure, file: String) -> String {
        let lines = report.text(instance, file: file).split(separator: "\n")
        let indentation = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(indentation) + "\n" }.joined()
    }

    /// One line.
    static func line(_ instance: InstanceFailure) -> String {
        "\(instance.name): expected \(instance.failure.expected), got \(instance.failure.got)"
    }

    /// The lines of the board's console before it.
    static func console(_ failure: Failure) -> String {
        failure.context.compactMap { ($0.payload as? ConsoleLineReceived)?.text }.map { $0 + "\n" }.joined()
    }
}
