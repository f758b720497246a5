#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A formula of a description, compiled once and shared: computes a number from others.
///
/// Lines (or parts between `;`) of `name = formula` define names for the lines after them; the last one is the result.
/// Operators, from the tightest: `**` (power, from the right); unary `- ~ !`; `* / %`; `+ -`; `<< >>`; `&`; `^`; `|`;
/// `== != < <= > >=`; `not`; `&&`; `||`; `?:`. `and` and `or` are words for `&&` and `||`. Functions: `abs`, `min`, `max`,
/// `sqrt`, `exp`, `ln`, `floor`, `round`.
///
/// The results of `+ - *` on whole numbers are whole numbers of at least 64 bits: an overflow is an error, never a
/// wrap-around. `/` and `**` give real numbers; `% << >> & ^ | ~` need whole numbers. Comparisons give 1 or 0.
final class Formula: Sendable {
    /// The source of a name's number.
    enum Reference: Hashable, Sendable {
        /// The undecoded number of the field to which the formula belongs.
        case ownRaw
        /// The undecoded number of the characteristic's value at this index.
        case raw(Int)
        /// The characteristic's value at this index.
        case value(Int)
        /// A value of another characteristic of the service: its index in the service, and the number used until the
        /// value is read.
        case context(Int, unread: Int128?)
    }

    indirect enum Term: Sendable {
        case constant(Number)
        case reference(Reference)
        /// A name defined in an earlier line.
        case local(Int)
        case unary(FormulaOperator, Term)
        case binary(FormulaOperator, Term, Term)
        case both(Term, Term)
        case either(Term, Term)
        case choice(Term, Term, Term)
        case call(FormulaFunction, [Term])
    }

    private let program: FormulaProgram

    /// The result if the formula uses no names.
    let constant: Number?
    /// The names of the values of other characteristics that it uses, by their index in the service.
    let contextNames: [Int: String]

    /// - Parameter lines: the terms of the local names, followed by the term of the result.
    init(_ lines: [Term], contextNames: [Int: String]) throws(FormulaError) {
        program = FormulaProgram(lines)
        self.contextNames = contextNames
        constant = lines.allSatisfy(\.isConstant) ? try program.run { _, _ in .integer(0) } : nil
    }

    /// The result; `resolve` returns the numbers of names.
    func evaluate(_ resolve: (Reference) throws(FormulaError) -> Number) throws(FormulaError) -> Number {
        if let constant { return constant }
        return try program.run { _, reference throws(FormulaError) in try resolve(reference) }
    }

    /// The numbers of all its names except ``Reference/ownRaw``, for several evaluations; `nil`: it has none.
    func numbers(_ resolve: (Reference) throws(FormulaError) -> Number) -> [Number?] {
        program.references.map { reference in
            do throws(FormulaError) { return reference == .ownRaw ? nil : try resolve(reference) } catch { return nil }
        }
    }

    /// The result for an undecoded number, with these numbers of the other names.
    func evaluate(_ raw: Number, _ numbers: [Number?]) throws(FormulaError) -> Number {
        if let constant { return constant }
        return try numbers.withUnsafeBufferPointer { numbers in
            Result { () throws(FormulaError) in
                try program.run { index, reference throws(FormulaError) in
                    if case .ownRaw = reference { return raw }
                    if let number = numbers[index] { return number }
                    throw FormulaError(message: "expected a number, there is none")
                }
            }
        }.get()
    }
}

extension Formula.Term {
    fileprivate var isConstant: Bool {
        switch self {
        case .constant, .local: true
        case .reference: false
        case .unary(_, let term): term.isConstant
        case .binary(_, let left, let right), .both(let left, let right), .either(let left, let right):
            left.isConstant && right.isConstant
        case .choice(let condition, let first, let second):
            condition.isConstant && first.isConstant && second.isConstant
        case .call(_, let terms): terms.allSatisfy(\.isConstant)
        }
    }
}

/// Error of compiling or evaluating a formula.
struct FormulaError: Error, Hashable, Sendable {
    /// The failure, with the expected and the received text; one line.
    let message: String
    /// The position in the formula, in bytes from its start.
    var offset = 0
    /// True if a value of another characteristic has not been read yet.
    var isMissingContext = false
}

/// The terms of a formula as steps on a stack: evaluating allocates nothing, and no formula can exhaust the thread's stack.
struct FormulaProgram: Sendable {
    private enum Code: Sendable {
        case constant, reference, local, store, unary, binary, truth, jump, jumpUnlessTrue, call
    }

    private struct Step: Sendable {
        var code: Code
        /// The index of a name or a local name, the target of a jump, or the number of arguments.
        var operand = 0
        var number = Number.integer(0)
        var operation = FormulaOperator.add
        var function = FormulaFunction.abs
    }

    private var steps: [Step] = []
    private(set) var references: [Formula.Reference] = []
    private let localCount: Int
    /// The number of elements on the stack: now, and the maximum.
    private var height = 0
    private var depth = 0

    init(_ lines: [Formula.Term]) {
        localCount = max(0, lines.count - 1)
        for (index, line) in lines.enumerated() {
            emit(line)
            if index < localCount { add(Step(code: .store, operand: index), -1) }
        }
    }

    private mutating func add(_ step: Step, _ change: Int) {
        steps.append(step)
        height += change
        depth = max(depth, height)
    }

    private mutating func emit(_ term: Formula.Term) {
        switch term {
        case .constant(let number): add(Step(code: .constant, number: number), 1)
        case .reference(let reference):
            add(Step(code: .reference, operand: references.count), 1)
            references.append(reference)
        case .local(let index): add(Step(code: .local, operand: index), 1)
        case .unary(let operation, let inner):
            emit(inner)
            add(Step(code: .unary, operation: operation), 0)
        case .binary(let operation, let left, let right):
            emit(left)
            emit(right)
            add(Step(code: .binary, operation: operation), -1)
        case .both(let left, let right): emitChoice(left, right, .constant(.integer(0)), isTruth: true)
        case .either(let left, let right): emitChoice(left, .constant(.integer(1)), right, isTruth: true)
        case .choice(let condition, let first, let second): emitChoice(condition, first, second, isTruth: false)
        case .call(let function, let arguments):
            for argument in arguments { emit(argument) }
            add(Step(code: .call, operand: arguments.count, function: function), 1 - arguments.count)
        }
    }

    private mutating func emitChoice(
        _ condition: Formula.Term, _ first: Formula.Term, _ second: Formula.Term, isTruth: Bool
    ) {
        emit(condition)
        let toSecond = steps.count
        add(Step(code: .jumpUnlessTrue), -1)
        emit(first)
        let toEnd = steps.count
        add(Step(code: .jump), -1)
        steps[toSecond].operand = steps.count
        emit(second)
        steps[toEnd].operand = steps.count
        if isTruth { add(Step(code: .truth), 0) }
    }

    /// The result; `resolve` returns the numbers of names.
    ///
    /// - Parameter resolve: gets the index of the name in ``references``, and the name.
    func run(_ resolve: (Int, Formula.Reference) throws(FormulaError) -> Number) throws(FormulaError) -> Number {
        try withUnsafeTemporaryAllocation(of: Number.self, capacity: localCount + depth) { memory in
            steps.withUnsafeBufferPointer { steps in
                references.withUnsafeBufferPointer { references in
                    Result { () throws(FormulaError) in
                        try Self.run(steps, references, memory, from: localCount, resolve)
                    }
                }
            }
        }.get()
    }

    /// Steps, references and numbers are trivial: nothing is retained, and overwritten numbers need no
    /// deinitialization.
    private static func run(
        _ steps: UnsafeBufferPointer<Step>, _ references: UnsafeBufferPointer<Formula.Reference>,
        _ memory: UnsafeMutableBufferPointer<Number>, from bottom: Int,
        _ resolve: (Int, Formula.Reference) throws(FormulaError) -> Number
    ) throws(FormulaError) -> Number {
        var (next, top) = (0, bottom)
        while next < steps.count {
            let step = steps[next]
            next += 1
            switch step.code {
            case .constant:
                memory.initializeElement(at: top, to: step.number)
                top += 1
            case .reference:
                memory.initializeElement(at: top, to: try resolve(step.operand, references[step.operand]))
                top += 1
            case .local:
                memory.initializeElement(at: top, to: memory[step.operand])
                top += 1
            case .store:
                top -= 1
                memory.initializeElement(at: step.operand, to: memory[top])
            case .unary: memory[top - 1] = try step.operation.applied(to: memory[top - 1])
            case .binary:
                top -= 1
                memory[top - 1] = try step.operation.applied(memory[top - 1], memory[top])
            case .truth: memory[top - 1] = .integer(memory[top - 1].isTrue ? 1 : 0)
            case .jump: next = step.operand
            case .jumpUnlessTrue:
                top -= 1
                if !memory[top].isTrue { next = step.operand }
            case .call:
                top -= step.operand
                let result = step.function.result(Array(memory[top..<top + step.operand]))
                memory.initializeElement(at: top, to: result)
                top += 1
            }
        }
        return memory[top - 1]
    }
}

/// A number in a formula: whole numbers are exact, and never wrap around.
enum Number: Hashable, Sendable {
    case integer(Int128)
    case real(Double)

    /// The number in `content`; `nil` for texts, bytes and lists.
    init?(_ content: DescribedContent) {
        switch content {
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .flag(let value): self = .integer(value ? 1 : 0)
        case .text, .bytes, .list: return nil
        }
    }

    var double: Double {
        switch self {
        case .integer(let value): value.double
        case .real(let value): value
        }
    }

    var content: DescribedContent {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        }
    }

    var isTrue: Bool {
        switch self {
        case .integer(let value): value != 0
        case .real(let value): value != 0
        }
    }
}

extension Number: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        }
    }
}

extension Int128 {
    /// The nearest `Double`; the standard library's conversion is slow, and few numbers exceed 64 bits.
    var double: Double {
        let short = Int64(truncatingIfNeeded: self)
        return Int128(short) == self ? Double(short) : Double(self)
    }
}

/// Functions of the C library.
enum Math {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func exponential(_ value: Double) -> Double { exp(value) }
    static func logarithm(_ value: Double) -> Double { log(value) }
    static func sine(_ value: Double) -> Double { sin(value) }
}
