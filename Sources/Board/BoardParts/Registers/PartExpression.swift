#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A compiled expression of a part's file: a number computed from quantities, settings, registers and their bits.
indirect enum PartExpression: Sendable {
    case constant(Double)
    /// A quantity, by its index in the file.
    case quantity(Int)
    /// A setting, by its index in the file.
    case setting(Int)
    /// The number in a register, by its index in the file.
    case register(Int)
    /// Bits of a register, shifted to bit 0.
    case bits(register: Int, shift: Int, mask: UInt64)
    /// The code of the command that is carried out.
    case code
    /// The number that the chip wrote: to the register, or as the command's argument.
    case written
    /// A name that the file defines, by its index.
    case name(Int)
    case negative(PartExpression)
    case not(PartExpression)
    case complement(PartExpression)
    case binary(PartOperator, PartExpression, PartExpression)
    case both(PartExpression, PartExpression)
    case either(PartExpression, PartExpression)
    case choice(PartExpression, PartExpression, PartExpression)
    case call(PartFunction, [PartExpression])

    /// The parts of which it consists, those of its names included: the cost of evaluating it.
    func size(names: [Int]) -> Int {
        switch self {
        case .constant, .quantity, .setting, .register, .bits, .code, .written: 1
        case .name(let index): names[index]
        case .negative(let term), .not(let term), .complement(let term): 1 + term.size(names: names)
        case .binary(_, let left, let right), .both(let left, let right), .either(let left, let right):
            1 + left.size(names: names) + right.size(names: names)
        case .choice(let condition, let first, let second):
            1 + condition.size(names: names) + first.size(names: names) + second.size(names: names)
        case .call(_, let terms): terms.reduce(1) { $0 + $1.size(names: names) }
        }
    }
}

/// The numbers that the names of expressions stand for.
protocol PartNumbers {
    func quantity(_ index: Int) -> Double
    func setting(_ index: Int) -> Double
    func register(_ index: Int) -> Double
    func bits(_ index: Int) -> UInt64
    func name(_ index: Int) -> PartExpression
    var code: Double { get }
    var written: Double { get }
}

extension PartExpression {
    /// The result; a number that does not exist, as of a division by 0, is 0.
    func value(_ numbers: some PartNumbers) -> Double {
        switch self {
        case .constant(let value): return value
        case .quantity(let index): return numbers.quantity(index)
        case .setting(let index): return numbers.setting(index)
        case .register(let index): return numbers.register(index)
        case .bits(let index, let shift, let mask): return Double((numbers.bits(index) >> UInt64(shift)) & mask)
        case .code: return numbers.code
        case .written: return numbers.written
        case .name(let index): return numbers.name(index).value(numbers)
        case .negative(let term): return -term.value(numbers)
        case .not(let term): return term.value(numbers) == 0 ? 1 : 0
        case .complement(let term): return Double(~term.value(numbers).wholeNumber)
        case .binary(let operation, let left, let right):
            return operation.result(left.value(numbers), right.value(numbers))
        case .both(let left, let right): return left.value(numbers) != 0 && right.value(numbers) != 0 ? 1 : 0
        case .either(let left, let right): return left.value(numbers) != 0 || right.value(numbers) != 0 ? 1 : 0
        case .choice(let condition, let first, let second):
            return condition.value(numbers) != 0 ? first.value(numbers) : second.value(numbers)
        case .call(let function, let terms):
            let result = function.result(terms, numbers)
            return result.isNaN ? 0 : result
        }
    }
}

extension Double {
    /// The nearest whole number within 53 bits; 0 if it is not a number.
    var wholeNumber: Int64 {
        guard !isNaN else { return 0 }
        return Int64(Swift.min(Swift.max(rounded(.toNearestOrAwayFromZero), -0x20_0000_0000_0000), 0x20_0000_0000_0000))
    }
}

/// An operator between two numbers.
enum PartOperator: String, Sendable {
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

    /// The precedence, from 1; bits bind tighter than comparisons, unlike in C.
    var level: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 1
        case .or: 2
        case .exclusiveOr: 3
        case .and: 4
        case .shiftLeft, .shiftRight: 5
        case .add, .subtract: 6
        case .multiply, .divide, .remainder: 7
        }
    }

    func result(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .multiply: return left * right
        case .divide: return right == 0 ? 0 : left / right
        case .remainder: return right == 0 ? 0 : left - right * (left / right).rounded(.down)
        case .add: return left + right
        case .subtract: return left - right
        case .equal: return left == right ? 1 : 0
        case .notEqual: return left != right ? 1 : 0
        case .less: return left < right ? 1 : 0
        case .lessOrEqual: return left <= right ? 1 : 0
        case .greater: return left > right ? 1 : 0
        case .greaterOrEqual: return left >= right ? 1 : 0
        case .shiftLeft: return Double(left.wholeNumber << min(max(right.wholeNumber, 0), 63))
        case .shiftRight: return Double(left.wholeNumber >> min(max(right.wholeNumber, 0), 63))
        case .and: return Double(left.wholeNumber & right.wholeNumber)
        case .or: return Double(left.wholeNumber | right.wholeNumber)
        case .exclusiveOr: return Double(left.wholeNumber ^ right.wholeNumber)
        }
    }
}

/// A function of expressions.
enum PartFunction: String, Sendable, CaseIterable {
    case abs
    case min
    case max
    case clamp
    case round
    case floor
    case sqrt
    case exp
    case ln
    case select
    case bcd
    case unbcd

    /// The number of arguments.
    var arguments: ClosedRange<Int> {
        switch self {
        case .min, .max: 2...16
        case .clamp: 3...3
        case .select: 2...33
        default: 1...1
        }
    }

    /// The result for the required number of arguments.
    func result(_ terms: [PartExpression], _ numbers: some PartNumbers) -> Double {
        guard let term = terms.first else { return 0 }
        let first = term.value(numbers)
        switch self {
        case .abs: return Swift.abs(first)
        case .min: return terms.dropFirst().reduce(first) { Swift.min($0, $1.value(numbers)) }
        case .max: return terms.dropFirst().reduce(first) { Swift.max($0, $1.value(numbers)) }
        case .clamp: return Swift.min(Swift.max(first, terms[1].value(numbers)), terms[2].value(numbers))
        case .round: return first.rounded(.toNearestOrAwayFromZero)
        case .floor: return first.rounded(.down)
        case .sqrt: return first < 0 ? 0 : first.squareRoot()
        case .exp: return exponential(first)
        case .ln: return first <= 0 ? 0 : logarithm(first)
        case .select:
            // An index without a number takes the last.
            let index = Int(Swift.min(Swift.max(first.wholeNumber, 0), Int64(terms.count - 2)))
            return terms[index + 1].value(numbers)
        case .bcd:
            let number = Swift.min(Swift.max(first.wholeNumber, 0), 99_999_999)
            return Double(String(number).utf8.reduce(0 as Int64) { $0 << 4 | Int64($1 - UInt8(ascii: "0")) })
        case .unbcd:
            var digits = Swift.min(Swift.max(first.wholeNumber, 0), 0xFFFF_FFFF)
            var (number, scale) = (0.0, 1.0)
            while digits > 0 {
                number += Double(digits & 0xF) * scale
                scale *= 10
                digits >>= 4
            }
            return number
        }
    }
}

// Outside the enumeration, whose cases hide the functions of the C library.
private func exponential(_ value: Double) -> Double { exp(value) }
private func logarithm(_ value: Double) -> Double { log(value) }
