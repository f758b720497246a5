import YAMLReading
internal import Yams

/// Finds expressions such as `{A: max(1, 2)}`: without quotes, YAML ends them at the comma.
///
/// Each is reported once, and joined again, so that its pieces cause no errors of their own.
struct UnquotedCommas {
    /// A limit of the nodes that are searched, since a few lines with aliases can expand to billions.
    private static let maximumCount = 100_000

    private let diagnostics: DiagnosticCollector
    private var count = 0

    init(_ diagnostics: DiagnosticCollector) {
        self.diagnostics = diagnostics
    }

    /// The same tree with the expressions whole.
    mutating func joined(_ node: Node) -> Node {
        count += 1
        guard count <= Self.maximumCount else { return node }
        switch node {
        case .scalar, .alias: return node
        // The parser does not tell braces from indentation, but lists in lines of their own hardly have such texts.
        case .sequence(let sequence):
            let items = Array(sequence)
            var nodes: [Node] = []
            var index = 0
            while index < items.count {
                let following = items[(index + 1)...].lazy.map(\.scalar?.string)
                let (node, count) = whole(items[index], following, "[…]")
                nodes.append(node)
                index += 1 + count
            }
            return .sequence(Node.Sequence(nodes, sequence.tag, sequence.style, sequence.mark))
        case .mapping(let mapping):
            let pairs = Array(mapping)
            var result: [(Node, Node)] = []
            var index = 0
            while index < pairs.count {
                let following = pairs[(index + 1)...].lazy.map(Self.piece)
                let (node, count) = whole(pairs[index].value, following, "{…}")
                result.append((pairs[index].key, node))
                index += 1 + count
            }
            return .mapping(Node.Mapping(result, mapping.tag, mapping.style, mapping.mark))
        }
    }

    /// A key without a value, which may be a piece of the value before it.
    private static func piece(_ pair: (key: Node, value: Node)) -> String? {
        guard case .scalar(let value) = pair.value, value.style == .plain, value.string.isEmpty else { return nil }
        return pair.key.scalar?.string
    }

    /// A text without quotes up to its last parenthesis, and the number of the pieces that it consists of beside the
    /// first.
    private mutating func whole(
        _ node: Node, _ following: some Sequence<String?>, _ braces: String
    ) -> (node: Node, count: Int) {
        guard case .scalar(let scalar) = node, scalar.style == .plain, Self.depth(scalar.string) > 0 else {
            return (joined(node), 0)
        }
        var (text, count) = (scalar.string, 0)
        for piece in following {
            guard Self.depth(text) > 0, let piece else { break }
            text += ", " + piece
            count += 1
        }
        guard count > 0, Self.depth(text) == 0 else { return (node, 0) }
        diagnostics.report("an expression with a comma needs quotes within \(braces): \"\(text)\"", at: node)
        return (.scalar(Node.Scalar(text, scalar.tag, .plain, scalar.mark)), count)
    }

    /// The parentheses that are open at the end of a text.
    private static func depth(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
    }
}
