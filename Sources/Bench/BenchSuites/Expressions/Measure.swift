import BenchModel
import Yams

/// A real number in a suite: a decimal such as `31.5`, an integer expression, or a decimal times such an expression, as in
/// `0.1 * t`.
struct RealExpression: Hashable, Sendable {
    private let factor: Double
    private let expression: Expression?
    /// The decimals with which it is written.
    let decimals: Int

    /// Reads a number; `nil` if it is not one.
    init?(_ text: String, parameters: [String]) throws(ExpressionError) {
        let text = text.trimmed
        if let number = Self.decimal(text) {
            (factor, expression, decimals) = (number.value, nil, number.decimals)
            return
        }
        for (factor, rest) in Self.products(of: text) {
            guard let number = Self.decimal(factor), number.decimals > 0 else { continue }
            self.factor = number.value
            decimals = number.decimals
            expression = try Expression(String(rest), parameters: parameters)
            return
        }
        (factor, decimals) = (1, 0)
        expression = try Expression(text, parameters: parameters)
    }

    private static func products(of text: String) -> [(String, String)] {
        guard let first = text.firstIndex(of: "*"), let last = text.lastIndex(of: "*") else { return [] }
        return [
            (String(text[..<first]).trimmed, String(text[text.index(after: first)...]).trimmed),
            (String(text[text.index(after: last)...]).trimmed, String(text[..<last]).trimmed),
        ]
    }

    /// A number in digits with an optional sign, point and exponent.
    private static func decimal(_ text: String) -> (value: Double, decimals: Int)? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.prefix { $0 != "e" }.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "0"..."9" ~= $0 } }),
            let value = Double(text), value.isFinite
        else { return nil }
        return (value, parts.count == 2 ? parts[1].count : 0)
    }

    /// The value, if it does not depend on a parameter; else `nil`.
    var constant: Double? {
        guard let expression else { return factor }
        return expression.constant.map { Double($0) * factor }
    }

    /// The value for the parameters in `context`.
    func evaluate(_ context: inout EvaluationContext) throws(ExpressionError) -> Double {
        guard let expression else { return factor }
        return Double(try expression.evaluate(&context)) * factor
    }
}

/// An expected real number: with a tolerance (`50 ± 1`), a range (`10...20`), or a number to which the measured one
/// rounds. Where it has one of several units, such as a time, it is met within 0.5 % at most: 4 s is not 4.4 s.
struct Measure: Hashable, Sendable {
    private let low: RealExpression
    private let high: RealExpression
    private let tolerance: Double
    /// True if the tolerance is the user's, or the unit is the only one.
    private var isGiven: Bool
    private let scale: Double

    /// Reads an expected number, with one of `units` or none, which means the first.
    ///
    /// - Returns: `nil` if the text is no number.
    init?(
        _ text: String, units: [(name: String, scale: Double)], parameters: [String]
    ) throws(ExpressionError) {
        var text = text.trimmed
        var scale = units.first?.scale ?? 1
        if let unit = units.first(where: { text.dropUnit($0.name) }) { scale = unit.scale }
        self.scale = scale
        isGiven = units.count < 2
        if let dots = text.firstRange(of: "...") {
            isGiven = true
            guard let low = try RealExpression(String(text[..<dots.lowerBound]), parameters: parameters),
                let high = try RealExpression(String(text[dots.upperBound...]), parameters: parameters)
            else { return nil }
            (self.low, self.high, tolerance) = (low, high, 0)
            return
        }
        text = text.replacing("+/-", with: "±").replacing("+-", with: "±")
        let parts = text.split(separator: "±", maxSplits: 1).map { String($0).trimmed }
        guard let first = parts.first, let value = try RealExpression(first, parameters: parameters) else { return nil }
        (low, high) = (value, value)
        if parts.count == 2 {
            guard let number = Double(parts[1]), number >= 0 else { return nil }
            tolerance = number
            isGiven = true
        } else {
            tolerance = 0.5 / (0..<value.decimals).reduce(1.0) { power, _ in power * 10 }
        }
    }

    /// The values that are expected, if they do not depend on a parameter; else `nil`.
    var constant: ClosedRange<Double>? {
        guard let first = low.constant, let second = high.constant else { return nil }
        return range(first, second)
    }

    /// The values that are expected for the parameters in `context`, in the first unit.
    func evaluate(_ context: inout EvaluationContext) throws(ExpressionError) -> ClosedRange<Double> {
        range(try low.evaluate(&context), try high.evaluate(&context))
    }

    private func range(_ first: Double, _ second: Double) -> ClosedRange<Double> {
        // A value halfway between two numbers may be either: binary fractions hardly ever meet it.
        let slack = max(abs(first), abs(second)) * 1e-12
        let tolerance = isGiven ? tolerance : min(tolerance, abs(first) * 0.005)
        return (min(first, second) - tolerance - slack) * scale...(max(first, second) + tolerance + slack) * scale
    }
}

extension String {
    /// Removes a unit at the end of a number. After a letter it is the end of a parameter's name.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func dropUnit(_ unit: String) -> Bool {
        guard !unit.isEmpty, hasSuffix(unit) else { return false }
        let rest = String(dropLast(unit.count))
        guard let last = rest.last, last == " " || last.isNumber || last == ")" || !(unit.first?.isLetter ?? true)
        else {
            return false
        }
        self = rest.trimmed
        return true
    }

    /// Without spaces at both ends.
    fileprivate var trimmed: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
