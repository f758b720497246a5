import YAMLReading
import Yams

/// Reads `tags` of suites and cases: words by which a run selects them.
struct TagReader {
    let scalars: ScalarReader

    /// The tags in order; a faulty one is reported and left out.
    func tags(_ node: Node) -> [String] {
        guard case .sequence(let sequence) = node else {
            scalars.diagnostics.report(
                "expected 'tags' to be a list such as [slow, security], got \(node.summary)", at: node)
            return []
        }
        var tags: [String] = []
        for node in sequence {
            guard let tag = node.scalar?.string, Self.isTag(tag) else {
                scalars.diagnostics.report(
                    "expected a tag of letters, digits, '_', '-' and '.', got \(node.summary)", at: node)
                continue
            }
            guard !tags.contains(tag) else {
                scalars.diagnostics.report("tag given twice: \(tag)", at: node)
                continue
            }
            tags.append(tag)
        }
        return tags
    }

    static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) } && !text.hasPrefix("-")
    }
}
