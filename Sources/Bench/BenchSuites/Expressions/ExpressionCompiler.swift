import BenchModel

/// Compiles an expression's text by precedence climbing.
struct ExpressionCompiler {
    private typealias Binary = (level: Int, operation: Instruction.Operation)

    /// Deeper nesting is refused, so that no text can exhaust the stack.
    private static let maximumDepth = 64

    private static let binaryOperators: [String: Binary] = [
        "==": (1, .equal), "!=": (1, .notEqual), "<": (1, .less), "<=": (1, .lessOrEqual), ">": (1, .greater),
        ">=": (1, .greaterOrEqual), "|": (2, .or), "^": (3, .xor), "&": (4, .and), "<<": (5, .shiftLeft),
        ">>": (5, .shiftRight), "+": (6, .add), "-": (6, .subtract), "*": (7, .multiply), "/": (7, .divide),
        "%": (7, .remainder),
    ]

    private var lexer: ExpressionLexer
    private let parameters: [String]
    private var code: [Instruction] = []
    private var depth = 0
    private(set) var token = ExpressionLexer.Token.end
    private(set) var tokenOffset = 0

    init(_ text: String, from offset: Int = 0, parameters: [String]) {
        lexer = ExpressionLexer(text, from: offset)
        self.parameters = parameters
    }

    /// Compiles the whole text as one expression.
    mutating func compileWhole() throws(ExpressionError) -> [Instruction] {
        let code = try compilePrefix()
        guard token == .end else {
            throw ExpressionError(
                "expected an operator or the end of the expression, got \(token.text)", at: tokenOffset)
        }
        return code
    }

    /// Compiles one expression from the start; the token after it is in ``token``.
    mutating func compilePrefix() throws(ExpressionError) -> [Instruction] {
        try advance()
        try conditional()
        return code
    }

    private mutating func advance() throws(ExpressionError) {
        (token, tokenOffset) = try lexer.next()
    }

    private mutating func expect(_ symbol: String) throws(ExpressionError) {
        guard token == .symbol(symbol) else {
            throw ExpressionError("expected '\(symbol)', got \(token.text)", at: tokenOffset)
        }
        try advance()
    }

    private mutating func emit(_ operation: Instruction.Operation, _ operand: Int64 = 0, at offset: Int) {
        code.append(Instruction(operation, operand: operand, at: offset))
    }

    /// Emits a jump whose target ``land(_:)`` fills in.
    private mutating func emitJump(_ operation: Instruction.Operation) -> Int {
        emit(operation, at: tokenOffset)
        return code.count - 1
    }

    private mutating func land(_ jump: Int) {
        code[jump].operand = Int64(code.count)
    }

    private mutating func conditional() throws(ExpressionError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw ExpressionError("nested more than \(Self.maximumDepth) deep", at: tokenOffset)
        }
        try logicalOr()
        guard token == .symbol("?") else { return }
        let toElse = emitJump(.jumpIfZero)
        try advance()
        try conditional()
        let toEnd = emitJump(.jump)
        try expect(":")
        land(toElse)
        try conditional()
        land(toEnd)
    }

    private mutating func logicalOr() throws(ExpressionError) {
        try logicalAnd()
        while token == .symbol("||") {
            try advance()
            let toRight = emitJump(.jumpIfZero)
            emit(.push, 1, at: tokenOffset)
            let toEnd = emitJump(.jump)
            land(toRight)
            try logicalAnd()
            emitTruth()
            land(toEnd)
        }
    }

    private mutating func logicalAnd() throws(ExpressionError) {
        try binary(atLeast: 1)
        while token == .symbol("&&") {
            try advance()
            let toFalse = emitJump(.jumpIfZero)
            try binary(atLeast: 1)
            emitTruth()
            let toEnd = emitJump(.jump)
            land(toFalse)
            emit(.push, 0, at: tokenOffset)
            land(toEnd)
        }
    }

    /// Converts the top of the stack to 1 or 0.
    private mutating func emitTruth() {
        emit(.not, at: tokenOffset)
        emit(.not, at: tokenOffset)
    }

    private mutating func binary(atLeast level: Int) throws(ExpressionError) {
        try unary()
        while case .symbol(let symbol) = token, let binary = Self.binaryOperators[symbol], binary.level >= level {
            let offset = tokenOffset
            try advance()
            try self.binary(atLeast: binary.level + 1)
            emit(binary.operation, at: offset)
        }
    }

    private mutating func unary() throws(ExpressionError) {
        var operators: [(Instruction.Operation, Int)] = []
        while case .symbol(let symbol) = token {
            switch symbol {
            case "-": operators.append((.negate, tokenOffset))
            case "~": operators.append((.complement, tokenOffset))
            case "!": operators.append((.not, tokenOffset))
            default:
                try primary()
                return emitUnary(operators)
            }
            try advance()
        }
        try primary()
        emitUnary(operators)
    }

    private mutating func emitUnary(_ operators: [(Instruction.Operation, Int)]) {
        for (operation, offset) in operators.reversed() { emit(operation, at: offset) }
    }

    private mutating func primary() throws(ExpressionError) {
        let offset = tokenOffset
        switch token {
        case .number(let value):
            emit(.push, value, at: offset)
            try advance()
        case .name(let name):
            guard let index = parameters.firstIndex(of: name) else {
                let known = parameters.isEmpty ? "there are no parameters here" : "expected one of: \(parameters.list)"
                let meant = Suggestion.text(for: name, in: parameters)
                throw ExpressionError("unknown name '\(name)'\(meant), \(known)", at: offset, unknownName: name)
            }
            emit(.load, Int64(index), at: offset)
            try advance()
        case .symbol("("):
            try advance()
            try conditional()
            try expect(")")
        case .symbol("["):
            try list(at: offset)
        default:
            throw ExpressionError("expected a number, a name or '(', got \(token.text)", at: offset)
        }
    }

    private mutating func list(at offset: Int) throws(ExpressionError) {
        var count: Int64 = 0
        repeat {
            try advance()
            try conditional()
            count += 1
        } while token == .symbol(",")
        try expect("]")
        try expect("[")
        try conditional()
        emit(.index, count, at: offset)
        try expect("]")
    }
}

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
    /// The operator's position in the source, in bytes.
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

/// Why an expression could not be compiled or evaluated.
public struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, with the expected and the received text; one line.
    public let message: String
    /// The position in the expression's text, in bytes from its start.
    public let offset: Int

    /// The unknown name, if the fault is a name that is not a parameter.
    let unknownName: String?

    init(_ message: String, at offset: Int, unknownName: String? = nil) {
        self.message = message
        self.offset = offset
        self.unknownName = unknownName
    }

    /// The message.
    public var description: String { message }
}
