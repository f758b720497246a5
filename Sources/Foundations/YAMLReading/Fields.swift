import SourceText
import Yams

/// The keys of one mapping; unknown ones are faults.
package struct Fields {
    package let node: Node
    private let values: [String: Node]

    /// Reads `node`, which must be a mapping with no keys but `known`; `nil` after a report when it is none.
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
        // Read as what it was meant to be, a mistyped key makes no other one missing.
        for (key, value) in mistyped where values[key] == nil { values[key] = value }
        self.node = node
        self.values = values
    }

    /// The value of `key`, if it is there.
    package subscript(key: String) -> Node? { values[key] }

    /// The value of `key`; reports when it is missing.
    package func required(_ key: String, of what: String, _ diagnostics: DiagnosticCollector) -> Node? {
        if let value = values[key] { return value }
        diagnostics.report("\(what) lacks the key '\(key)'", at: node)
        return nil
    }
}
