import SourceText
import YAMLReading
import Yams

/// Values of characteristics, and patterns of console lines.
extension SuiteReader {
    /// Reads `bytes` or `text`; `nil` if both are missing or one is invalid.
    func value(_ fields: Fields, _ what: String) -> ValueTemplate? {
        if let text = fields["text"] {
            if fields["bytes"] != nil {
                diagnostics.report("\(what) takes 'bytes' or 'text', got both", at: text)
            }
            return scalars.template(text, "a text", parameters).map {
                ValueTemplate(elements: [.text($0, text.textPosition)])
            }
        }
        return fields["bytes"].flatMap { bytes($0, "'bytes'") }
    }

    /// Reads a list of bytes.
    func bytes(_ node: Node, _ what: String) -> ValueTemplate? {
        guard case .sequence(let sequence) = node else {
            diagnostics.report("expected \(what) to be a list such as [a, b, 2], got \(node.summary)", at: node)
            return nil
        }
        let elements = sequence.map(element)
        return elements.contains { $0 == nil } ? nil : ValueTemplate(elements: elements.compactMap(\.self))
    }

    /// Reads `bytes` or `text` of a step that sends or awaits a stream; an empty stream is an error, since the step
    /// would always pass.
    func stream(_ fields: Fields, _ what: String) -> ValueTemplate? {
        guard let value = value(fields, what) else { return nil }
        refuseEmpty(value, fields, what)
        return value
    }

    /// Reports a stream of no bytes.
    func refuseEmpty(_ value: ValueTemplate, _ fields: Fields, _ what: String) {
        guard value.isKnownEmpty else { return }
        diagnostics.report(
            "\(what) of no bytes proves nothing, expected at least one",
            at: fields["bytes"] ?? fields["text"] ?? fields.node)
    }

    /// A byte, or a repeated byte.
    func element(_ node: Node) -> ValueTemplate.Element? {
        guard case .mapping = node else {
            guard let byte = scalars.expression(node, "a byte", parameters) else { return nil }
            if let constant = byte.constant, UInt8(exactly: constant) == nil {
                diagnostics.report("expected a byte 0...255, got \(constant)", at: node)
            }
            return .byte(byte, node.textPosition)
        }
        if node.mapping?["random"] != nil { return random(node) }
        guard let fields = Fields(node, of: "a repeated byte", known: ["repeat", "times"], diagnostics),
            let byteNode = fields.required("repeat", of: "a repeated byte", diagnostics),
            let timesNode = fields.required("times", of: "a repeated byte", diagnostics),
            let byte = bounded(byteNode, "a byte", 0...255),
            let times = bounded(timesNode, "'times'", ValueTemplate.counts)
        else { return nil }
        return .repeated(byte, byteNode.textPosition, times: times, timesNode.textPosition)
    }

    /// Random bytes of the seeded generator: the same seed gives the same bytes.
    private func random(_ node: Node) -> ValueTemplate.Element? {
        guard let fields = Fields(node, of: "random bytes", known: ["random", "seed"], diagnostics),
            let countNode = fields.required("random", of: "random bytes", diagnostics),
            let count = bounded(countNode, "'random'", ValueTemplate.counts),
            let seedNode = fields.required("seed", of: "random bytes", diagnostics),
            let seed = scalars.expression(seedNode, "a seed", parameters)
        else { return nil }
        return .random(count: count, seed: seed, countNode.textPosition)
    }

    /// A console line: its text, or a regular expression between slashes.
    func console(_ subject: Node) -> ConsoleTemplate? {
        guard let text = scalars.text(subject, "a console line or a /regular expression/") else { return nil }
        guard text.hasPrefix("/"), text.hasSuffix("/"), text.count > 2 else {
            return scalars.template(subject, "a console line", parameters).map(ConsoleTemplate.line)
        }
        return pattern(text[...], subject).map { .regex($0) }
    }

    /// The regular expression between two slashes.
    func pattern(_ text: Substring, _ node: Node) -> String? {
        let pattern = String(text.dropFirst().dropLast())
        guard text.hasPrefix("/"), text.hasSuffix("/"), !pattern.isEmpty else {
            diagnostics.report("expected a regular expression between slashes, got '\(text)'", at: node)
            return nil
        }
        do {
            // A test character that no expression names, to find expressions that match the empty text.
            if let match = "\u{E000}".firstMatch(of: try Regex(pattern)), match.range.isEmpty {
                diagnostics.report(
                    "'\(text)' is found in every line, as it is in an empty one: expected an expression that needs a character",
                    at: node)
            }
            return pattern
        } catch {
            diagnostics.report("expected a regular expression, got '\(pattern)': \(error)", at: node)
            return nil
        }
    }
}

/// Numbers in a range, and keys of which exactly one is given.
extension SuiteReader {
    /// The only key of `kinds` that is given.
    func only(_ kinds: [String], of fields: Fields, _ what: String) -> (kind: String, subject: Node)? {
        let given = kinds.filter { fields[$0] != nil }
        if given.count == 1, let kind = given.first, let subject = fields[kind] { return (kind, subject) }
        diagnostics.report(
            "\(what) one of: \(kinds.list); got \(given.isEmpty ? "none" : given.list)", at: fields.node)
        return nil
    }

    /// A number of at least 1.
    func count(_ node: Node, _ what: String) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, constant < 1 {
            diagnostics.report("expected \(what) to be 1 or more, got \(constant)", at: node)
        }
        return value
    }

    /// A number in `range`; an expression with parameters is checked only when it is evaluated.
    func bounded(_ node: Node, _ what: String, _ range: ClosedRange<Int64>) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, !range.contains(constant) {
            diagnostics.report(
                "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(constant)", at: node)
        }
        return value
    }
}

/// Expressions and texts with expressions in them.
extension ScalarReader {
    func expression(_ node: Node, _ what: String, _ parameters: [String]) -> Expression? {
        guard let source = text(node, what) else { return nil }
        return compiled(node) { () throws(ExpressionError) in try Expression(source, parameters: parameters) }
    }

    func template(_ node: Node, _ what: String, _ parameters: [String]) -> TextTemplate? {
        guard case .scalar(let scalar) = node else {
            diagnostics.report("expected \(what), got \(node.summary)\(node.quotingRemedy)", at: node)
            return nil
        }
        return compiled(node) { () throws(ExpressionError) in
            try TextTemplate(scalar.string, parameters: parameters)
        }
    }

    private func compiled<Value>(_ node: Node, _ compile: () throws(ExpressionError) -> Value) -> Value? {
        do throws(ExpressionError) {
            return try compile()
        } catch {
            if error.unknownName == nil || !diagnostics.hasUnknownParameters {
                diagnostics.report(error.message, at: node.textPosition.advanced(by: error.offset))
            }
            return nil
        }
    }
}
