/// An integer expression over the parameters of a case, compiled once and evaluated for every instance of the case.
///
/// Values are 64-bit signed; an overflow is an error, never a wrap-around and never a trap. Operators, from the
/// tightest: unary `- ~ !`; `* / %`; `+ -`; `<< >>`; `&`; `^`; `|`; `== != < <= > >=`; `&&`; `||`; `?:`. As in Python,
/// Go and Rust, and unlike C, `a & 1 == 0` compares `a & 1`. Division and remainder round towards zero as in C.
/// Comparisons give 1 or 0. Literals: `42`, `0xff`, `0b1010`, `'x'` (ASCII), `_` between digits. `[7, 8, 9][a]` picks
/// from a list.
public struct Expression: Hashable, Sendable {
    /// The text as the user wrote it.
    public let source: String
    private let code: [Instruction]

    /// Compiles `source`; names in it are looked up in `parameters`; their indices there are the indices in
    /// ``EvaluationContext/parameters``.
    ///
    /// An expression without parameters is evaluated at once, so that `1 / 0` is found before the suite runs.
    public init(_ source: String, parameters: [String]) throws(ExpressionError) {
        var compiler = ExpressionCompiler(source, parameters: parameters)
        let code = try compiler.compileWhole()
        try self.init(source: source, code: code)
    }

    /// An expression from compiled code; folded if it is constant.
    init(source: String, code: [Instruction]) throws(ExpressionError) {
        self.init(source: source, unfolded: code)
        guard code.count > 1, !code.contains(where: { $0.operation == .load }) else { return }
        var context = EvaluationContext()
        let value = try evaluate(&context)
        self.init(source: source, unfolded: [Instruction(.push, operand: value, at: 0)])
    }

    /// An expression that is a number.
    init(constant: Int64) {
        self.init(source: "\(constant)", unfolded: [Instruction(.push, operand: constant, at: 0)])
    }

    private init(source: String, unfolded code: [Instruction]) {
        self.source = source
        self.code = code
    }

    /// The value, if it does not depend on a parameter; else `nil`.
    public var constant: Int64? {
        code.count == 1 && code[0].operation == .push ? code[0].operand : nil
    }

    /// The value for the parameters in `context`.
    ///
    /// - Throws: on overflow, division by zero, a shift by less than 0 or more than 63, or an index outside its list.
    public func evaluate(_ context: inout EvaluationContext) throws(ExpressionError) -> Int64 {
        if code.count == 1 {
            return code[0].operation == .push ? code[0].operand : context.parameters[Int(code[0].operand)]
        }
        context.stack.removeAll(keepingCapacity: true)
        var next = 0
        while next < code.count {
            let instruction = code[next]
            next += 1
            switch instruction.operation {
            case .push: context.stack.append(instruction.operand)
            case .load: context.stack.append(context.parameters[Int(instruction.operand)])
            case .jump: next = Int(instruction.operand)
            case .jumpIfZero: if context.stack.removeLast() == 0 { next = Int(instruction.operand) }
            case .index: try context.pick(instruction)
            case .negate, .complement, .not: try context.applyUnary(instruction)
            default: try context.applyBinary(instruction)
            }
        }
        return context.stack[0]
    }
}

/// The input of an evaluation: the parameters of one instance of a case, and working memory that is reused.
public struct EvaluationContext: Sendable {
    /// The values, one for each name that the expressions were compiled with, in that order.
    public var parameters: [Int64]
    /// The attribute handles of the suite's UUIDs on the link in question, by the UUIDs' indices.
    public var handles: [UInt16?] = []
    fileprivate var stack: [Int64] = []

    /// A context with these values.
    public init(parameters: [Int64] = []) {
        self.parameters = parameters
        stack.reserveCapacity(16)
    }

    fileprivate mutating func pick(_ instruction: Instruction) throws(ExpressionError) {
        let index = stack.removeLast()
        let count = Int(instruction.operand)
        guard index >= 0, index < Int64(count) else {
            throw ExpressionError(
                "index \(index) is outside the list, expected 0...\(count - 1)", at: instruction.offset)
        }
        let value = stack[stack.count - count + Int(index)]
        stack.removeLast(count)
        stack.append(value)
    }

    fileprivate mutating func applyUnary(_ instruction: Instruction) throws(ExpressionError) {
        let value = stack.removeLast()
        switch instruction.operation {
        case .complement: stack.append(~value)
        case .not: stack.append(value == 0 ? 1 : 0)
        default:
            guard value != .min else { throw ExpressionError("-(\(value)) overflows 64 bits", at: instruction.offset) }
            stack.append(-value)
        }
    }

    fileprivate mutating func applyBinary(_ instruction: Instruction) throws(ExpressionError) {
        let right = stack.removeLast()
        let left = stack.removeLast()
        stack.append(try instruction.applied(left, right))
    }
}
