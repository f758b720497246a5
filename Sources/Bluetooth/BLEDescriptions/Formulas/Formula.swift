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

    private let program: FormulaProgram

    /// The result when it depends on nothing.
    let constant: Number?

    /// - Parameter lines: the terms of the local names, and then of the result.
    init(_ lines: [Term]) throws(FormulaError) {
        program = FormulaProgram(lines)
        constant = lines.allSatisfy(\.isConstant) ? try program.run { _ in .integer(0) } : nil
    }

    /// The result, with the numbers that `resolve` gives for the names.
    func evaluate(_ resolve: (Reference) throws(FormulaError) -> Number) throws(FormulaError) -> Number {
        if let constant { return constant }
        return try program.run(resolve)
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

/// Why a formula could not be compiled or has no result.
struct FormulaError: Error, Hashable, Sendable {
    /// What failed, what was expected, what came; one line.
    let message: String
    /// Where in the formula, in bytes from its start.
    var offset = 0
    /// Whether a value is missing that another characteristic has.
    var isMissingContext = false
}
