import SourceText

/// Compiles a formula's text by precedence climbing.
struct FormulaCompiler {
    /// Limits of nesting and length, so that no text can exhaust the stack.
    private static let maximumDepth = 64
    private static let maximumLength = 2048

    private var lexer: FormulaLexer
    /// The meanings of the names that are not defined by lines.
    private let names: [String: Formula.Reference]
    private var locals: [String: Int] = [:]
    private var contextNames: [Int: String] = [:]
    private var depth = 0
    private var token = FormulaLexer.Token.end
    private var offset = 0

    /// - Parameter names: the names that the formula may use, with their meanings.
    static func formula(_ source: String, names: [String: Formula.Reference] = [:]) throws(FormulaError) -> Formula {
        guard source.utf8.count <= maximumLength else {
            throw FormulaError(
                message: "expected a formula of at most \(maximumLength) bytes, got \(source.utf8.count)")
        }
        var compiler = FormulaCompiler(source, names)
        let lines = try compiler.lines()
        return try Formula(lines, contextNames: compiler.contextNames)
    }

    private init(_ source: String, _ names: [String: Formula.Reference]) {
        lexer = FormulaLexer(source)
        self.names = names
    }

    private mutating func lines() throws(FormulaError) -> [Formula.Term] {
        var lines: [Formula.Term] = []
        try advance()
        while true {
            while token == .separator { try advance() }
            guard token != .end else { break }
            let defined = try definedName()
            lines.append(try conditional())
            guard token == .separator || token == .end else {
                throw FormulaError(message: "expected an operator or the end, got \(token.text)", offset: offset)
            }
            // Define the name only now: a formula cannot use the name that it defines.
            if let defined { locals[defined] = lines.count - 1 }
        }
        guard !lines.isEmpty else { throw FormulaError(message: "expected a formula, got nothing", offset: 0) }
        guard !locals.values.contains(lines.count - 1) else {
            throw FormulaError(
                message: "expected a formula after the last '=', whose result is the value", offset: offset)
        }
        return lines
    }

    /// The name that this line defines, if any.
    private mutating func definedName() throws(FormulaError) -> String? {
        guard case .name(let name) = token else { return nil }
        let start = (lexer, token, offset)
        try advance()
        guard token == .symbol("=") else {
            (lexer, token, offset) = start
            return nil
        }
        guard FormulaLexer.isName(name), locals[name] == nil, names[name] == nil else {
            throw FormulaError(message: "expected a new name before '=', got '\(name)'", offset: start.2)
        }
        try advance()
        return name
    }

    private mutating func advance() throws(FormulaError) { (token, offset) = try lexer.next() }

    private mutating func expect(_ symbol: String) throws(FormulaError) {
        guard token == .symbol(symbol) else {
            throw FormulaError(message: "expected '\(symbol)', got \(token.text)", offset: offset)
        }
        try advance()
    }

    private mutating func conditional() throws(FormulaError) -> Formula.Term {
        try nested { compiler throws(FormulaError) in
            let condition = try compiler.either()
            guard compiler.token == .symbol("?") else { return condition }
            try compiler.advance()
            let first = try compiler.conditional()
            try compiler.expect(":")
            return .choice(condition, first, try compiler.conditional())
        }
    }

    private mutating func either() throws(FormulaError) -> Formula.Term {
        var term = try both()
        while token == .symbol("||") {
            try advance()
            term = .either(term, try both())
        }
        return term
    }

    private mutating func both() throws(FormulaError) -> Formula.Term {
        var term = try negation()
        while token == .symbol("&&") {
            try advance()
            term = .both(term, try negation())
        }
        return term
    }

    /// The word `not` applies to a whole comparison, unlike `!`.
    private mutating func negation() throws(FormulaError) -> Formula.Term {
        guard token == .symbol("not") else { return try binary(atLeast: 1) }
        try advance()
        return try nested { compiler throws(FormulaError) in .unary(.not, try compiler.negation()) }
    }

    /// Parses one level deeper.
    private mutating func nested(
        _ body: (inout FormulaCompiler) throws(FormulaError) -> Formula.Term
    ) throws(FormulaError) -> Formula.Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw FormulaError(message: "nested more than \(Self.maximumDepth) deep", offset: offset)
        }
        return try body(&self)
    }

    private mutating func binary(atLeast level: Int) throws(FormulaError) -> Formula.Term {
        var term = try unary()
        while case .symbol(let symbol) = token, let operation = FormulaOperator(rawValue: symbol),
            let own = operation.level, own >= level
        {
            try advance()
            term = .binary(operation, term, try binary(atLeast: own + 1))
        }
        return term
    }

    private mutating func unary() throws(FormulaError) -> Formula.Term {
        guard case .symbol(let symbol) = token, ["-", "~", "!"].contains(symbol),
            let operation = FormulaOperator(rawValue: symbol)
        else { return try power() }
        try advance()
        return try nested { compiler throws(FormulaError) in .unary(operation, try compiler.unary()) }
    }

    private mutating func power() throws(FormulaError) -> Formula.Term {
        let base = try primary()
        guard token == .symbol("**") else { return base }
        try advance()
        return try nested { compiler throws(FormulaError) in .binary(.power, base, try compiler.unary()) }
    }

    private mutating func primary() throws(FormulaError) -> Formula.Term {
        switch token {
        case .number(let number):
            try advance()
            return .constant(number)
        case .name(let name):
            let place = offset
            try advance()
            if token == .symbol("(") { return try call(name, at: place) }
            if let local = locals[name] { return .local(local) }
            if let reference = names[name] {
                if case .context(let slot, _) = reference { contextNames[slot] = name }
                return .reference(reference)
            }
            let known = names.keys.sorted() + locals.keys.sorted()
            let list = known.isEmpty ? "there are no names here" : "expected one of: \(known.list)"
            throw FormulaError(
                message: "unknown name '\(name)'\(Suggestion.text(for: name, in: known)), \(list)", offset: place)
        case .symbol("("):
            try advance()
            let term = try conditional()
            try expect(")")
            return term
        default:
            throw FormulaError(message: "expected a number, a name or '(', got \(token.text)", offset: offset)
        }
    }

    private mutating func call(_ name: String, at place: Int) throws(FormulaError) -> Formula.Term {
        let known = FormulaFunction.allCases.map(\.rawValue)
        guard let function = FormulaFunction(rawValue: name) else {
            throw FormulaError(
                message:
                    "unknown function '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: \(known.list)",
                offset: place)
        }
        var arguments: [Formula.Term] = []
        repeat {
            try advance()
            arguments.append(try conditional())
        } while token == .symbol(",")
        try expect(")")
        guard function.arguments.contains(arguments.count) else {
            let few = function.arguments.lowerBound
            throw FormulaError(
                message: "\(name) takes \(few == 1 ? "one number" : "\(few) or more numbers"), got \(arguments.count)",
                offset: place)
        }
        return .call(function, arguments)
    }
}
