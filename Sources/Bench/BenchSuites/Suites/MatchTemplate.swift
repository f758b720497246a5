import Bench
import BenchModel
import SourceText

/// Conditions on a value, computed from the parameters.
package struct MatchTemplate: Sendable {
    /// The keys of the conditions.
    static let keys = ["bytes", "text", "mask", "contains", "matches", "json", "length"]
    /// The keys for values that are joined to a stream.
    static let streamKeys = keys.filter { $0 != "length" }

    /// The rows of the reference, for each condition.
    static let reference: [StepReference] = [
        StepReference("`bytes: [a, b, 2]`, `text: \"on\"`", "the whole value"),
        StepReference(
            "`bytes: [0x10, 0, 0x20], mask: [0xff, 0, 0xf0]`",
            "a value of this length; only the bits that are set in the mask count"),
        StepReference("`contains: OK`, `contains: [1, a]`", "a text, or bytes, somewhere in the value"),
        StepReference(
            #"`matches: '/^T \d+/'`"#, "a regular expression that matches a part of the value, which is UTF-8 text"),
        StepReference(
            "`json: {wifi: false, temperature: 20...30}`",
            """
            JSON with at least these names, at any depth; a list has exactly the elements given. `20...30` and \
            `23 ± 0.5` are numbers in a range; a word without quotes that is a parameter, or an expression of \
            parameters, is a number
            """),
        StepReference("`length: 12`, `12...20`, `12...`", "the number of bytes; not of a `stream`, a UART or a line"),
    ]

    /// A number of bytes, at least `low` and at most `high`; `nil`: any number from `low` on.
    struct Length: Sendable {
        let low: Expression
        let high: Expression?
        let position: SourcePosition
    }

    /// All bytes of the value.
    package var value: ValueTemplate?
    var mask: ValueTemplate?
    var part: ValueTemplate?
    var pattern: String?
    var json: JSONTemplate?
    var length: Length?
}

/// The expected contents of a JSON value, computed from the parameters.
indirect enum JSONTemplate: Sendable {
    case fixed(JSONPattern)
    case integer(Expression, SourcePosition)
    case range(Measure, text: String)
    case text(TextTemplate, SourcePosition)
    case list([JSONTemplate])
    case object([(name: String, value: JSONTemplate)])
}

extension StepRun {
    /// The conditions for the current parameters.
    func match(_ template: MatchTemplate) throws(BenchFailure) -> ValueMatch {
        var match = ValueMatch(
            bytes: try template.value.map(bytes), mask: try template.mask.map(bytes), pattern: template.pattern,
            json: try template.json.map(json), isText: (template.value ?? template.part)?.isText ?? false)
        if let part = template.part { match.part = try stream(part) }
        if let mask = match.mask, let bytes = match.bytes, mask.count != bytes.count {
            throw BenchFailure(
                .suite, expected: "a mask as long as 'bytes': \(bytes.count)", got: "\(mask.count)",
                position: step.position)
        }
        if let length = template.length { match.length = try range(length) }
        return match
    }

    /// The conditions on a stream: not that it is empty, which is always so at its beginning.
    func streamMatch(_ template: MatchTemplate) throws(BenchFailure) -> ValueMatch {
        if let value = template.value { _ = try stream(value) }
        return try match(template)
    }

    private func range(_ length: MatchTemplate.Length) throws(BenchFailure) -> ClosedRange<Int> {
        do throws(EvaluationError) {
            let low = try length.low.evaluate(&context, at: length.position)
            let high = try length.high?.evaluate(&context, at: length.position) ?? Int64(Int.max)
            if low >= 0, low <= high { return Int(low)...Int(high) }
            throw EvaluationError("expected a length from low to high, got \(low)...\(high)", length.position)
        } catch {
            throw BenchFailure(error)
        }
    }

    /// The contents of JSON for the current parameters.
    func json(_ template: JSONTemplate) throws(BenchFailure) -> JSONPattern {
        switch template {
        case .fixed(let pattern): return pattern
        case .integer(let expression, let position):
            do throws(EvaluationError) {
                return .integer(try expression.evaluate(&context, at: position))
            } catch {
                throw BenchFailure(error)
            }
        case .range(let measure, let text):
            return .range(try real { context throws(ExpressionError) in try measure.evaluate(&context) }, text: text)
        case .text(let template, _): return .text(try text(template))
        case .list(let elements):
            var patterns: [JSONPattern] = []
            for element in elements { patterns.append(try json(element)) }
            return .list(patterns)
        case .object(let members):
            var patterns: [JSONPattern.Member] = []
            for (name, value) in members { patterns.append(JSONPattern.Member(name, try json(value))) }
            return .object(patterns)
        }
    }
}
