import SourceText
import Yams

/// The keys of one mapping; unknown keys are faults.
package struct Fields {
    package let node: Node
    private let values: [String: Node]

    /// Reads `node`, which must be a mapping with no keys but `known`; reports a node that is not a mapping, and
    /// returns `nil`.
    package init?(_ node: Node, of what: String, known: [String], _ diagnostics: DiagnosticCollector) {
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected \(what) with keys (\(known.list)), got \(node.summary)", at: node)
            return nil
        }
        var values: [String: Node] = [:]
        var mistyped: [(key: String, value: Node)] = []
        for (key, value) in mapping {
            if case .scalar(let scalar) = key, known.contains(scalar.string) {
                values[scalar.string] = value
                continue
            }
            let word = key.scalar?.string ?? ""
            diagnostics.report(
                "unknown key \(key.summary) in \(what)\(Suggestion.text(for: word, in: known)), "
                    + "expected one of: \(known.list)", at: key)
            if let meant = Suggestion.nearest(to: word, in: known) { mistyped.append((meant, value)) }
        }
        // Use the values of mistyped keys, so that the intended keys are not reported as missing.
        for (key, value) in mistyped where values[key] == nil { values[key] = value }
        self.node = node
        self.values = values
    }

    /// The value of `key`, if present.
    package subscript(key: String) -> Node? { values[key] }

    /// The value of `key`; reports a missing one.
    package func required(_ key: String, of what: String, _ diagnostics: DiagnosticCollector) -> Node? {
        if let value = values[key] { return value }
        diagnostics.report("\(what) lacks the key '\(key)'", at: node)
        return nil
    }
}

/// Reads scalars; each function reports a node of another kind, and returns `nil`.
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

    /// The value whose word is the node's text.
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

    /// The time during which something must not happen; not 0, since that would prove nothing.
    package func provingDuration(_ node: Node, _ what: String) -> Duration? {
        let duration = duration(node, what)
        guard duration == .zero else { return duration }
        diagnostics.report("\(what) for no time proves nothing, expected a longer one", at: node)
        return nil
    }
}
