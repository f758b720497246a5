/// An operator of a formula.
enum FormulaOperator: String, Hashable, Sendable {
    case power = "**"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case add = "+"
    case subtract = "-"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case and = "&"
    case exclusiveOr = "^"
    case or = "|"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case complement = "~"
    case not = "!"

    /// How tight a binary operator binds, from 1; `nil` for one that is not binary.
    var level: Int? {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 1
        case .or: 2
        case .exclusiveOr: 3
        case .and: 4
        case .shiftLeft, .shiftRight: 5
        case .add, .subtract: 6
        case .multiply, .divide, .remainder: 7
        case .power, .complement, .not: nil
        }
    }

    /// The result of the unary operator.
    func applied(to number: Number) throws(FormulaError) -> Number {
        switch (self, number) {
        case (.not, _): return .integer(number.isTrue ? 0 : 1)
        case (.complement, _): return .integer(~(try whole(number)))
        case (_, .integer(let value)):
            guard value != .min else { throw overflow(number) }
            return .integer(-value)
        case (_, .real(let value)): return .real(-value)
        }
    }

    /// The result of the binary operator.
    func applied(_ left: Number, _ right: Number) throws(FormulaError) -> Number {
        switch self {
        case .add, .subtract, .multiply: return try arithmetic(left, right)
        case .divide:
            guard right.isTrue else { throw FormulaError(message: "\(left) / \(right): division by zero") }
            return .real(left.double / right.double)
        case .power: return .real(Math.power(left.double, right.double))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return .integer(holds(left, right) ? 1 : 0)
        default: return .integer(try bits(whole(left), whole(right)))
        }
    }

    private func arithmetic(_ left: Number, _ right: Number) throws(FormulaError) -> Number {
        guard case .integer(let left) = left, case .integer(let right) = right else {
            let (left, right) = (left.double, right.double)
            return .real(self == .add ? left + right : self == .subtract ? left - right : left * right)
        }
        let (value, overflows) =
            switch self {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            default: left.multipliedReportingOverflow(by: right)
            }
        guard !overflows else { throw overflow(.integer(left), .integer(right)) }
        return .integer(value)
    }

    private func holds(_ left: Number, _ right: Number) -> Bool {
        if case .integer(let left) = left, case .integer(let right) = right { return compare(left, right) }
        return compare(left.double, right.double)
    }

    private func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
        }
    }

    private func bits(_ left: Int128, _ right: Int128) throws(FormulaError) -> Int128 {
        switch self {
        case .and: return left & right
        case .or: return left | right
        case .exclusiveOr: return left ^ right
        case .remainder:
            guard right != 0, !(left == .min && right == -1) else {
                throw FormulaError(message: "\(left) % \(right): division by zero")
            }
            return left % right
        default:
            guard (0...63).contains(right) else {
                throw FormulaError(message: "\(left) \(rawValue) \(right): expected a shift by 0 to 63 bits")
            }
            if self == .shiftRight { return left &>> right }
            let (value, overflows) = left.multipliedReportingOverflow(by: 1 &<< right)
            guard !overflows else { throw overflow(.integer(left), .integer(right)) }
            return value
        }
    }

    private func whole(_ number: Number) throws(FormulaError) -> Int128 {
        if case .integer(let value) = number { return value }
        throw FormulaError(message: "'\(rawValue)' needs whole numbers, got \(number) (floor and round make some)")
    }

    private func overflow(_ numbers: Number...) -> FormulaError {
        FormulaError(
            message: "\(numbers.map(\.description).joined(separator: " \(rawValue) ")) does not fit in 128 bits")
    }
}
