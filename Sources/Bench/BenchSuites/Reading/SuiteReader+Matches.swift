import Bench
import YAMLReading
import Yams

/// Conditions on values. A condition that every value meets is an error.
extension SuiteReader {
    /// Reads the conditions on a value; `nil` if none is given, or one is invalid.
    func match(_ fields: Fields, _ what: String) -> MatchTemplate? {
        let given = MatchTemplate.keys.filter { fields[$0] != nil }
        guard !given.isEmpty else { return nil }
        var match = MatchTemplate(value: value(fields, what))
        if let whole = ["bytes", "text"].first(where: given.contains) {
            for key in given where !["bytes", "text", "mask"].contains(key) {
                diagnostics.report(
                    "'\(whole)' is the whole value: remove it or '\(key)'", at: fields[key] ?? fields.node)
            }
            if match.value == nil { return nil }
        }
        if let node = fields["mask"] {
            guard let mask = mask(node, of: fields["bytes"] == nil ? nil : match.value) else { return nil }
            match.mask = mask
        }
        if let node = fields["contains"] {
            guard let part = containedPart(node) else { return nil }
            match.part = part
        }
        if let node = fields["matches"] {
            guard let text = scalars.text(node, "a /regular expression/"), let pattern = pattern(text[...], node) else {
                return nil
            }
            match.pattern = pattern
        }
        if let node = fields["json"] {
            guard let json = json(node) else { return nil }
            match.json = json
        }
        if let node = fields["length"] {
            guard let length = length(node) else { return nil }
            match.length = length
        }
        return match
    }

    /// Reads the conditions on a stream, of which at least one is required.
    func requiredMatch(_ fields: Fields) -> MatchTemplate? {
        let keys = MatchTemplate.streamKeys
        if keys.allSatisfy({ fields[$0] == nil }) {
            diagnostics.report(
                "'expect' lacks what it expects here, one of: \(keys.filter { $0 != "mask" }.list)", at: fields.node)
            return nil
        }
        guard let match = match(fields, "'expect'") else { return nil }
        if let value = match.value { refuseEmpty(value, fields, "'expect'") }
        return match
    }

    private func containedPart(_ node: Node) -> ValueTemplate? {
        let part: ValueTemplate? =
            if case .sequence = node {
                bytes(node, "'contains'")
            } else {
                scalars.template(node, "a text or a list of bytes", parameters).map {
                    ValueTemplate(elements: [.text($0, node.textPosition)])
                }
            }
        if part?.isKnownEmpty == true {
            diagnostics.report("'contains' of no bytes proves nothing, expected at least one", at: node)
        }
        return part
    }

    private func mask(_ node: Node, of value: ValueTemplate?) -> ValueTemplate? {
        guard let value else {
            diagnostics.report(
                "'mask' belongs to 'bytes': it has the bits that count, with one byte for each", at: node)
            return nil
        }
        guard let mask = bytes(node, "'mask'") else { return nil }
        if let count = value.knownCount, let got = mask.knownCount, count != got {
            diagnostics.report("expected 'mask' of \(count) bytes, one for each of 'bytes', got \(got)", at: node)
        }
        if mask.isKnownZero {
            diagnostics.report("'mask' without bits proves nothing, expected at least one", at: node)
        }
        return mask
    }

    private func length(_ node: Node) -> MatchTemplate.Length? {
        let form = "expected a number of bytes, such as 12, 12...20 or 12..."
        guard let text = scalars.text(node, "a number of bytes, such as 12, 12...20 or 12...") else { return nil }
        let dots = text.firstRange(of: "...")
        let length: MatchTemplate.Length
        do throws(ExpressionError) {
            let low = try Expression(dots.map { String(text[..<$0.lowerBound]) } ?? text, parameters: parameters)
            let end = dots.map { String(text[$0.upperBound...]) }
            let high = end.map { $0.allSatisfy { $0 == " " } } ?? false ? nil : end
            length = MatchTemplate.Length(
                low: low, high: try dots == nil ? low : high.map(expression), position: node.textPosition)
        } catch {
            diagnostics.report("\(form), got '\(text)': \(error.message)", at: node)
            return nil
        }
        guard let low = length.low.constant else { return length }
        let high = length.high?.constant
        if low < 0 || high.map({ $0 < low }) ?? false {
            diagnostics.report("\(form), got '\(text)'", at: node)
        } else if low == 0, length.high == nil || high.map({ $0 >= Int64(ValueMatch.maximumLength) }) ?? false {
            diagnostics.report(
                "'length' of '\(text)' proves nothing: every value has at most \(ValueMatch.maximumLength) bytes",
                at: node)
        }
        return length
    }

    private func expression(_ text: String) throws(ExpressionError) -> Expression {
        try Expression(text, parameters: parameters)
    }
}

/// Expected contents of JSON.
extension SuiteReader {
    /// The maximum number of values: a file of a few lines with YAML aliases can expand to more than fit into memory.
    private static let maximumValues = 10_000

    fileprivate func json(_ node: Node) -> JSONTemplate? {
        if node.mapping?.isEmpty ?? false {
            diagnostics.report("'json' without names proves nothing, expected at least one", at: node)
            return nil
        }
        return contents(node)
    }

    /// A value in JSON.
    func contents(_ node: Node) -> JSONTemplate? {
        var left = Self.maximumValues
        return contents(node, &left)
    }

    private func contents(_ node: Node, _ left: inout Int) -> JSONTemplate? {
        left -= 1
        guard left >= 0 else {
            if left == -1 {
                diagnostics.report("expected at most \(Self.maximumValues) values in JSON, got more", at: node)
            }
            return nil
        }
        switch node {
        case .mapping(let mapping):
            var members: [(name: String, value: JSONTemplate)] = []
            for (key, value) in mapping {
                guard let name = scalars.text(key, "a name in the JSON"), let value = contents(value, &left) else {
                    return nil
                }
                members.append((name, value))
            }
            return .object(members)
        case .sequence(let sequence):
            var elements: [JSONTemplate] = []
            for node in sequence {
                guard let element = contents(node, &left) else { return nil }
                elements.append(element)
            }
            return .list(elements)
        case .scalar(let scalar):
            return scalar.style == .plain ? plain(scalar.string, node) : text(node)
        case .alias:
            diagnostics.report("expected a value in JSON, got \(node.summary)", at: node)
            return nil
        }
    }

    /// A value without quotes: a word of JSON, a number, an expression, a range of numbers, or else a text.
    private func plain(_ text: String, _ node: Node) -> JSONTemplate? {
        switch text {
        case "null", "~": return .fixed(.null)
        case "true": return .fixed(.bool(true))
        case "false": return .fixed(.bool(false))
        case "":
            diagnostics.report("expected a value in JSON, got nothing", at: node)
            return nil
        default: break
        }
        // Dates and UUIDs look like differences of numbers: an expression must have a parameter.
        if let expression = try? Expression(text, parameters: parameters),
            expression.constant == nil || text.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        {
            return .integer(expression, node.textPosition)
        }
        if let number = Double(text), number.isFinite { return .fixed(.number(number)) }
        if text.contains("...") || text.contains("±"),
            let measure = try? Measure(text, units: [], parameters: parameters)
        {
            return .range(measure, text: text)
        }
        return self.text(node)
    }

    private func text(_ node: Node) -> JSONTemplate? {
        scalars.template(node, "a text", parameters).map { .text($0, node.textPosition) }
    }
}
