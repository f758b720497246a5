import SourceText
import Yams

/// Collects all faults of a file, so that the user sees all of them at once.
package final class DiagnosticCollector {
    /// Limit of reported faults per file.
    private static let shown = 100
    private let file: String
    private var diagnostics: Set<DocumentError.Diagnostic> = []
    /// True if the parameters of the current case could not be read, so that any name may be one of them.
    package var hasUnknownParameters = false

    package init(file: String) {
        self.file = file
    }

    /// Adds a fault; escapes text of the file, so that it cannot control the terminal or begin a new line.
    package func report(_ message: String, at position: SourcePosition) {
        diagnostics.insert(DocumentError.Diagnostic(file: file, position: position, message: message.printable))
    }

    package func report(_ message: String, at node: Node) {
        report(message, at: node.position)
    }

    /// Throws if any fault was reported.
    package func finish() throws(DocumentError) {
        guard !diagnostics.isEmpty else { return }
        var sorted = diagnostics.sorted { ($0.position, $0.message) < ($1.position, $1.message) }
        if sorted.count > Self.shown {
            let rest = sorted.count - Self.shown
            sorted[Self.shown].message = "and \(rest) more from here on"
            sorted.removeSubrange((Self.shown + 1)...)
        }
        throw DocumentError(diagnostics: sorted)
    }
}

extension Node {
    /// The position at which the node begins.
    package var position: SourcePosition {
        mark.map { SourcePosition(line: $0.line, column: $0.column) } ?? SourcePosition(line: 1, column: 1)
    }

    /// The position at which a scalar's text begins: after its quote.
    package var textPosition: SourcePosition {
        guard case .scalar(let scalar) = self, scalar.style == .singleQuoted || scalar.style == .doubleQuoted else {
            return position
        }
        return position.advanced(by: 1)
    }

    /// The remedy for a text that has another meaning in YAML because of its first letter.
    package var quotingRemedy: String {
        switch self {
        case .mapping(let mapping) where mapping.values.contains { $0.isNothing }:
            " (a text that begins with '{' needs quotes)"
        case .sequence(let sequence) where sequence.first?.position.line == position.line:
            " (a text that begins with '[' needs quotes)"
        case .scalar(let scalar) where scalar.string.isEmpty && scalar.ownTag != nil:
            " (a text that begins with '!' needs quotes)"
        default: ""
        }
    }

    /// True for a key without a value, as in `{a}`.
    private var isNothing: Bool {
        if case .scalar(let scalar) = self { scalar.style == .plain && scalar.string.isEmpty } else { false }
    }

    /// The node in the form for messages.
    package var summary: String {
        switch self {
        case .scalar(let scalar) where scalar.string.isEmpty && scalar.style == .plain: "nothing"
        case .scalar(let scalar): "'\(scalar.string)'"
        case .mapping: "a mapping"
        case .sequence(let nodes): nodes.isEmpty ? "an empty list" : "a list"
        case .alias: "an alias"
        }
    }
}

extension Node.Scalar {
    /// The first word, if it begins with `!`: YAML takes it for the name of a type, and not for text.
    package var ownTag: String? {
        let name = tag.description
        return name.hasPrefix("!") && name.count > 1 ? name : nil
    }
}
