/// A formula of a description, compiled once: how a number is computed from others.
///
/// Lines (or parts between `;`) of `name = formula` define names for the lines after them; the last one is the result.
/// Operators, from the tightest: `**` (power, from the right); unary `- ~ !`; `* / %`; `+ -`; `<< >>`; `&`; `^`; `|`;
/// `== != < <= > >=`; `not`; `&&`; `||`; `?:`. `and` and `or` are words for `&&` and `||`. Functions: `abs`, `min`, `max`,
/// `sqrt`, `exp`, `ln`, `floor`, `round`.
///
/// Whole numbers stay whole in `+ - *` and are at least of 64 bits: what does not fit is an error, never a wrap-around.
/// `/` and `**` give real numbers; `% << >> & ^ | ~` need whole ones. Comparisons give 1 or 0.
struct Formula: Sendable {
    /// Where a name's number comes from.
    enum Reference: Hashable, Sendable {
        /// The undecoded number of the field that the formula is of.
        case ownRaw
        /// The undecoded number of the characteristic's value of that index.
        case raw(Int)
        /// The characteristic's value of that index.
        case value(Int)
        /// A value of another characteristic of the service: its place in the service, its name, and what it is until it is
        /// read.
        case context(Int, String, unread: Int128?)
    }

    indirect enum Term: Sendable {
        case constant(Number)
        case reference(Reference)
        /// A name that a line before this one defined.
        case local(Int)
        case unary(FormulaOperator, Term)
        case binary(FormulaOperator, Term, Term)
        case both(Term, Term)
        case either(Term, Term)
        case choice(Term, Term, Term)
        case call(FormulaFunction, [Term])
    }

    /// As it was written.
    let source: String
    /// The terms of the local names, and then of the result.
    let lines: [Term]

    /// The result when it depends on nothing.
    let constant: Number?

    init(source: String, lines: [Term]) throws(FormulaError) {
        self.source = source
        self.lines = lines
        constant = lines.allSatisfy(\.isConstant) ? try Self.evaluate(lines) { _ in .integer(0) } : nil
    }

    /// The result, with the numbers that `resolve` gives for the names.
    func evaluate(_ resolve: (Reference) throws(FormulaError) -> Number) throws(FormulaError) -> Number {
        if let constant { return constant }
        return try Self.evaluate(lines, resolve)
    }

    private static func evaluate(
        _ lines: [Term], _ resolve: (Reference) throws(FormulaError) -> Number
    ) throws(FormulaError) -> Number {
        var locals: [Number] = []
        var result = Number.integer(0)
        for line in lines {
            result = try line.evaluate(locals, resolve)
            if lines.count > 1 { locals.append(result) }
        }
        return result
    }
}

extension Formula.Term {
    fileprivate func evaluate(
        _ locals: [Number], _ resolve: (Formula.Reference) throws(FormulaError) -> Number
    ) throws(FormulaError) -> Number {
        switch self {
        case .constant(let number): return number
        case .reference(let reference): return try resolve(reference)
        case .local(let index): return locals[index]
        case .unary(let operation, let term): return try operation.applied(to: term.evaluate(locals, resolve))
        case .binary(let operation, let left, let right):
            return try operation.applied(left.evaluate(locals, resolve), right.evaluate(locals, resolve))
        case .both(let left, let right):
            guard try left.evaluate(locals, resolve).isTrue else { return .integer(0) }
            return .integer(try right.evaluate(locals, resolve).isTrue ? 1 : 0)
        case .either(let left, let right):
            if try left.evaluate(locals, resolve).isTrue { return .integer(1) }
            return .integer(try right.evaluate(locals, resolve).isTrue ? 1 : 0)
        case .choice(let condition, let first, let second):
            return try (condition.evaluate(locals, resolve).isTrue ? first : second).evaluate(locals, resolve)
        case .call(let function, let terms):
            var arguments: [Number] = []
            for term in terms { arguments.append(try term.evaluate(locals, resolve)) }
            return function.result(arguments)
        }
    }

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

/// Why a formula could not be compiled or has no result.
struct FormulaError: Error, Hashable, Sendable {
    /// What failed, what was expected, what came; one line.
    let message: String
    /// Where in the formula, in bytes from its start.
    var offset = 0
    /// Whether a value is missing that another characteristic has.
    var isMissingContext = false
}
