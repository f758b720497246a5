import Yams

/// A step as it stands in the file: its word and what is said about it.
struct StepWord {
    static let known = [
        "power", "reset", "reboot", "button", "scan", "connect", "disconnect", "pair", "encrypt", "forget",
        "subscribe", "unsubscribe", "write", "read", "mtu", "discover", "att", "expect", "advance", "console", "fault",
        "radio", "repeat",
    ]
    /// Words that may stand alone.
    private static let bare = ["reset", "reboot", "disconnect", "pair", "encrypt"]

    /// The whole step.
    let node: Node
    let word: String
    /// What follows the word; `nil` when it stands alone.
    let value: Node?

    init?(_ node: Node, _ diagnostics: DiagnosticCollector) {
        let expected = "expected one of: \(Self.known.list)"
        switch node {
        case .scalar(let scalar) where Self.bare.contains(scalar.string):
            self.init(node: node, word: scalar.string, value: nil)
        case .scalar(let scalar) where Self.known.contains(scalar.string):
            diagnostics.report("'\(scalar.string)' says nothing more, expected '\(scalar.string): …'", at: node)
            return nil
        case .mapping(let mapping):
            guard mapping.count == 1, let (key, value) = mapping.first else {
                diagnostics.report("expected one step with one word, got \(mapping.count) keys", at: node)
                return nil
            }
            guard case .scalar(let scalar) = key, Self.known.contains(scalar.string) else {
                diagnostics.report("unknown step \(key.summary), \(expected)", at: key)
                return nil
            }
            self.init(node: node, word: scalar.string, value: value)
        case .scalar, .sequence, .alias:
            diagnostics.report("unknown step \(node.summary), \(expected)", at: node)
            return nil
        }
    }

    private init(node: Node, word: String, value: Node?) {
        self.node = node
        self.word = word
        self.value = value
    }

    /// Whether this is `expect: {error: …}`, which belongs to the operation before it.
    var isExpectedError: Bool {
        word == "expect" && (value?.mapping?.keys.contains { $0.scalar?.string == "error" } ?? false)
    }
}
