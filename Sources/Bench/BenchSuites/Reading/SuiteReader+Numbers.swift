import SourceText
import YAMLReading
import Yams

/// Numbers with a range, and choices of one key.
extension SuiteReader {
    /// The one of `kinds` that is there.
    func only(_ kinds: [String], of fields: Fields, _ what: String) -> (kind: String, subject: Node)? {
        let given = kinds.filter { fields[$0] != nil }
        if given.count == 1, let kind = given.first, let subject = fields[kind] { return (kind, subject) }
        diagnostics.report(
            "\(what) one of: \(kinds.list); got \(given.isEmpty ? "none" : given.list)", at: fields.node)
        return nil
    }

    /// A number from 1 on.
    func count(_ node: Node, _ what: String) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, constant < 1 {
            diagnostics.report("expected \(what) from 1 on, got \(constant)", at: node)
        }
        return value
    }

    /// A number in `range` that is known before anything runs.
    func number(_ node: Node, _ what: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, range.contains(Int(clamping: constant)) { return Int(constant) }
        diagnostics.report(
            "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(node.summary)", at: node)
        return nil
    }

    /// A number that, as far as it is known before anything runs, is in `range`.
    func bounded(_ node: Node, _ what: String, _ range: ClosedRange<Int64>) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, !range.contains(constant) {
            diagnostics.report(
                "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(constant)", at: node)
        }
        return value
    }
}
