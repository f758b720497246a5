/// The terms of a formula as steps on a stack: evaluating allocates nothing, and no formula can exhaust the thread's stack.
struct FormulaProgram: Sendable {
    private enum Code: Sendable {
        case constant, reference, local, store, unary, binary, truth, jump, jumpUnlessTrue, call
    }

    private struct Step: Sendable {
        var code: Code
        /// Of a name, a local name, the target of a jump, or how many arguments.
        var operand = 0
        var number = Number.integer(0)
        var operation = FormulaOperator.add
        var function = FormulaFunction.abs
    }

    private var steps: [Step] = []
    private var references: [Formula.Reference] = []
    private let localCount: Int
    /// The numbers on the stack, now and at most.
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

    /// The result, with the numbers that `resolve` gives for the names.
    func run(_ resolve: (Formula.Reference) throws(FormulaError) -> Number) throws(FormulaError) -> Number {
        try withUnsafeTemporaryAllocation(of: Number.self, capacity: localCount + depth) { memory in
            Result { () throws(FormulaError) in try run(memory, resolve) }
        }.get()
    }

    /// `Number` is trivial: what is overwritten need not be ended.
    private func run(
        _ memory: UnsafeMutableBufferPointer<Number>, _ resolve: (Formula.Reference) throws(FormulaError) -> Number
    ) throws(FormulaError) -> Number {
        var (next, top) = (0, localCount)
        while next < steps.count {
            let step = steps[next]
            next += 1
            switch step.code {
            case .constant:
                memory.initializeElement(at: top, to: step.number)
                top += 1
            case .reference:
                memory.initializeElement(at: top, to: try resolve(references[step.operand]))
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
