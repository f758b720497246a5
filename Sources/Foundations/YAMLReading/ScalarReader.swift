import SourceText
import Yams

/// Reads scalars; each function reports and returns `nil` when the node is not one.
package struct ScalarReader {
    package let diagnostics: DiagnosticCollector

    package init(diagnostics: DiagnosticCollector) {
        self.diagnostics = diagnostics
    }

    package func text(_ node: Node, _ what: String) -> String? {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
            diagnostics.report("expected \(what), got \(node.summary)\(node.quotingRemedy)", at: node)
            return nil
        }
        return scalar.string
    }

    package func bool(_ node: Node, _ what: String) -> Bool? {
        switch node.scalar?.string {
        case "true": return true
        case "false": return false
        default:
            diagnostics.report("expected true or false for \(what), got \(node.summary)", at: node)
            return nil
        }
    }

    package func choice<Choice: CaseIterable & RawRepresentable<String>>(_ node: Node, _ what: String) -> Choice? {
        choice(node, what, among: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// The value whose word the file gives.
    package func choice<Choice>(_ node: Node, _ what: String, among choices: [(word: String, value: Choice)]) -> Choice?
    {
        if let word = node.scalar?.string, let choice = choices.first(where: { $0.word == word }) {
            return choice.value
        }
        let words = choices.map(\.word)
        let meant = Suggestion.text(for: node.scalar?.string ?? "", in: words)
        diagnostics.report("expected \(what), one of: \(words.list), got \(node.summary)\(meant)", at: node)
        return nil
    }

    /// A time with its unit, e.g. `1.5 s`.
    package func duration(_ node: Node, _ what: String) -> Duration? {
        if let text = node.scalar?.string, let duration = Duration(text: text) { return duration }
        diagnostics.report(
            "expected a time for \(what) with a unit (us, ms, s or min), such as 500 ms, got \(node.summary)", at: node)
        return nil
    }

    /// A time in which something must not happen: none would prove nothing.
    package func provingDuration(_ node: Node, _ what: String) -> Duration? {
        let duration = duration(node, what)
        guard duration == .zero else { return duration }
        diagnostics.report("\(what) for no time proves nothing, expected a longer one", at: node)
        return nil
    }
}
