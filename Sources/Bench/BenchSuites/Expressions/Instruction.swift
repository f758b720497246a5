/// One step of a compiled expression's stack machine.
struct Instruction: Hashable, Sendable {
    enum Operation: UInt8 {
        case push, load, jump, jumpIfZero, index
        case negate, complement, not
        case add, subtract, multiply, divide, remainder
        case shiftLeft, shiftRight, and, xor, or
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    let operation: Operation
    /// Where in the source the operator stands, in bytes.
    let position: Int32
    /// The constant, the parameter's index, the jump's target or the list's length.
    var operand: Int64

    init(_ operation: Operation, operand: Int64 = 0, at offset: Int) {
        self.operation = operation
        self.operand = operand
        position = Int32(clamping: offset)
    }

    var offset: Int { Int(position) }

    func applied(_ left: Int64, _ right: Int64) throws(ExpressionError) -> Int64 {
        switch operation {
        case .add: try checked(left.addingReportingOverflow(right), left, "+", right)
        case .subtract: try checked(left.subtractingReportingOverflow(right), left, "-", right)
        case .multiply: try checked(left.multipliedReportingOverflow(by: right), left, "*", right)
        case .divide: try divided(left.dividedReportingOverflow, left, "/", right)
        case .remainder: try divided(left.remainderReportingOverflow, left, "%", right)
        case .shiftLeft: try shiftedLeft(left, right)
        case .shiftRight: left >> (try shiftDistance(left, ">>", right))
        case .and: left & right
        case .xor: left ^ right
        case .or: left | right
        case .equal: left == right ? 1 : 0
        case .notEqual: left != right ? 1 : 0
        case .less: left < right ? 1 : 0
        case .lessOrEqual: left <= right ? 1 : 0
        case .greater: left > right ? 1 : 0
        case .greaterOrEqual: left >= right ? 1 : 0
        case .push, .load, .jump, .jumpIfZero, .index, .negate, .complement, .not: left
        }
    }

    private func checked(
        _ result: (partialValue: Int64, overflow: Bool), _ left: Int64, _ symbol: String, _ right: Int64
    ) throws(ExpressionError) -> Int64 {
        guard !result.overflow else {
            throw ExpressionError("\(left) \(symbol) \(right) overflows 64 bits", at: offset)
        }
        return result.partialValue
    }

    private func divided(
        _ operation: (Int64) -> (partialValue: Int64, overflow: Bool), _ left: Int64, _ symbol: String, _ right: Int64
    ) throws(ExpressionError) -> Int64 {
        guard right != 0 else { throw ExpressionError("division by zero: \(left) \(symbol) 0", at: offset) }
        return try checked(operation(right), left, symbol, right)
    }

    private func shiftDistance(_ left: Int64, _ symbol: String, _ right: Int64) throws(ExpressionError) -> Int64 {
        guard (0...63).contains(right) else {
            throw ExpressionError("\(left) \(symbol) \(right): expected a shift by 0...63 bits", at: offset)
        }
        return right
    }

    private func shiftedLeft(_ left: Int64, _ right: Int64) throws(ExpressionError) -> Int64 {
        let distance = try shiftDistance(left, "<<", right)
        let value = left << distance
        guard value >> distance == left else {
            throw ExpressionError("\(left) << \(right) overflows 64 bits", at: offset)
        }
        return value
    }
}
