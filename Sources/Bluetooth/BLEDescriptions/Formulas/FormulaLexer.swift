/// Splits a formula's text into tokens.
struct FormulaLexer {
    enum Token: Hashable {
        case number(Number)
        case name(String)
        case symbol(String)
        /// The end of a line, or `;`.
        case separator
        case end

        /// The token in the form for messages.
        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .name(let name): "'\(name)'"
            case .symbol(let symbol): "'\(symbol)'"
            case .separator: "the end of the line"
            case .end: "the end"
            }
        }
    }

    private static let twoByteSymbols = ["**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"]
    private static let words = ["and": "&&", "or": "||", "not": "not"]

    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next token and its position.
    mutating func next() throws(FormulaError) -> (token: Token, offset: Int) {
        while offset < bytes.count, [UInt8(ascii: " "), 9, 13].contains(bytes[offset]) { offset += 1 }
        let start = offset
        guard start < bytes.count else { return (.end, start) }
        switch bytes[start] {
        case UInt8(ascii: "\n"), UInt8(ascii: ";"):
            offset += 1
            return (.separator, start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return (.number(try number()), start)
        case let byte where Self.isNamePart(byte):
            let name = text { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
            return (Self.words[name].map(Token.symbol) ?? .name(name), start)
        default: return (.symbol(try symbol()), start)
        }
    }

    /// True if `text` can name a value.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy(isNamePart) && words[text] == nil && text != "raw"
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = offset
        while offset < bytes.count, isPart(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func number() throws(FormulaError) -> Number {
        let start = offset
        // A sign can only be part of a number after the exponent's letter.
        let digits = text { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
        if !digits.hasPrefix("0x"), digits.hasSuffix("e") || digits.hasSuffix("E"), offset < bytes.count,
            [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(bytes[offset])
        {
            offset += 1
            let all = String(decoding: bytes[start..<offset], as: UTF8.self) + text(while: Self.isNamePart)
            return try number(all, at: start)
        }
        return try number(digits, at: start)
    }

    private func number(_ digits: String, at start: Int) throws(FormulaError) -> Number {
        let plain = digits.filter { $0 != "_" }
        if plain.hasPrefix("0x") || plain.hasPrefix("0b") {
            let radix = plain.hasPrefix("0x") ? 16 : 2
            if let value = UInt64(plain.dropFirst(2), radix: radix) { return .integer(Int128(value)) }
        } else if let value = Int64(plain) {
            return .integer(Int128(value))
        } else if plain.utf8.allSatisfy({ !Self.isNamePart($0) || Self.isDigitOrExponent($0) }),
            let value = Double(plain), value.isFinite
        {
            return .real(value)
        }
        throw FormulaError(message: "expected a number, got '\(digits)'", offset: start)
    }

    /// `Double` also reads `1p3` and `nan`.
    private static func isDigitOrExponent(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    private mutating func symbol() throws(FormulaError) -> String {
        let two = String(decoding: bytes[offset..<min(offset + 2, bytes.count)], as: UTF8.self)
        if Self.twoByteSymbols.contains(two) {
            offset += 2
            return two
        }
        let one = String(decoding: bytes[offset...offset], as: UTF8.self)
        guard "+-*/%&|^~!<>()?:=,".contains(one) else {
            let character = String(decoding: bytes[offset...], as: UTF8.self).prefix(1)
            throw FormulaError(message: "unexpected '\(character)'", offset: offset)
        }
        offset += 1
        return one
    }
}

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

    /// The precedence of a binary operator, from 1; `nil` if it is not binary.
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

    /// The number of arguments.
    var arguments: ClosedRange<Int> { self == .min || self == .max ? 2...16 : 1...1 }

    /// The result for the required number of arguments.
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
