/// A function of formulas.
enum FormulaFunction: String, Hashable, Sendable, CaseIterable {
    case abs
    case min
    case max
    case sqrt
    case exp
    case ln
    case floor
    case round

    /// How many arguments it takes.
    var arguments: ClosedRange<Int> { self == .min || self == .max ? 2...16 : 1...1 }

    /// The result; as many arguments as it takes.
    func result(_ arguments: [Number]) -> Number {
        guard let first = arguments.first else { return .integer(0) }
        switch self {
        case .abs:
            if case .integer(let value) = first, value != .min { return .integer(Swift.abs(value)) }
            return .real(Swift.abs(first.double))
        case .min: return arguments.dropFirst().reduce(first) { $1.double < $0.double ? $1 : $0 }
        case .max: return arguments.dropFirst().reduce(first) { $1.double > $0.double ? $1 : $0 }
        case .sqrt: return .real(first.double.squareRoot())
        case .exp: return .real(Math.exponential(first.double))
        case .ln: return .real(Math.logarithm(first.double))
        case .floor: return whole(first, .down)
        case .round: return whole(first, .toNearestOrAwayFromZero)
        }
    }

    private func whole(_ number: Number, _ rule: FloatingPointRoundingRule) -> Number {
        guard case .real(let value) = number, let whole = Int128(exactly: value.rounded(rule)) else { return number }
        return .integer(whole)
    }
}
