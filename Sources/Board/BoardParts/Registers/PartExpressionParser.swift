import YAMLReading

/// A fault in an expression.
struct PartExpressionError: Error {
    let message: String
    /// Its place, in bytes from the start of the expression.
    var offset = 0
}

/// Compiles an expression's text by precedence climbing.
struct PartExpressionParser {
    /// Limits of nesting and length, so that no text can exhaust the stack.
    private static let maximumDepth = 48
    private static let maximumLength = 2048

    private enum Token: Hashable {
        case number(Double)
        case name(String)
        case symbol(String)
        case end

        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .name(let name): "'\(name)'"
            case .symbol(let symbol): "'\(symbol)'"
            case .end: "the end"
            }
        }
    }

    private let bytes: [UInt8]
    private let names: [String: PartExpression]
    private var position = 0
    private var offset = 0
    private var token = Token.end
    private var depth = 0

    /// - Parameter names: the names that the expression may use.
    static func expression(
        _ text: String, names: [String: PartExpression]
    ) throws(PartExpressionError) -> PartExpression {
        guard text.utf8.count <= maximumLength else {
            throw PartExpressionError(
                message: "expected an expression of at most \(maximumLength) bytes, got \(text.utf8.count)")
        }
        var parser = PartExpressionParser(text, names)
        try parser.advance()
        let expression = try parser.conditional()
        guard parser.token == .end else {
            throw PartExpressionError(
                message: "expected an operator or the end, got \(parser.token.text)", offset: parser.offset)
        }
        return expression
    }

    private init(_ text: String, _ names: [String: PartExpression]) {
        bytes = Array(text.utf8)
        self.names = names
    }

    private mutating func conditional() throws(PartExpressionError) -> PartExpression {
        try nested { parser throws(PartExpressionError) in
            let condition = try parser.either()
            guard parser.token == .symbol("?") else { return condition }
            try parser.advance()
            let first = try parser.conditional()
            try parser.expect(":")
            return .choice(condition, first, try parser.conditional())
        }
    }

    private mutating func either() throws(PartExpressionError) -> PartExpression {
        var term = try both()
        while token == .symbol("||") || token == .name("or") {
            try advance()
            term = .either(term, try both())
        }
        return term
    }

    private mutating func both() throws(PartExpressionError) -> PartExpression {
        var term = try negation()
        while token == .symbol("&&") || token == .name("and") {
            try advance()
            term = .both(term, try negation())
        }
        return term
    }

    /// The word `not` applies to a whole comparison, unlike `!`.
    private mutating func negation() throws(PartExpressionError) -> PartExpression {
        guard token == .name("not") else { return try binary(atLeast: 1) }
        try advance()
        return try nested { parser throws(PartExpressionError) in .not(try parser.negation()) }
    }

    private mutating func binary(atLeast level: Int) throws(PartExpressionError) -> PartExpression {
        var term = try unary()
        while case .symbol(let symbol) = token, let operation = PartOperator(rawValue: symbol),
            operation.level >= level
        {
            try advance()
            term = .binary(operation, term, try binary(atLeast: operation.level + 1))
        }
        return term
    }

    private mutating func unary() throws(PartExpressionError) -> PartExpression {
        guard case .symbol(let symbol) = token, ["-", "~", "!"].contains(symbol) else { return try primary() }
        try advance()
        return try nested { parser throws(PartExpressionError) in
            let term = try parser.unary()
            return symbol == "-" ? .negative(term) : symbol == "~" ? .complement(term) : .not(term)
        }
    }

    private mutating func primary() throws(PartExpressionError) -> PartExpression {
        let place = offset
        switch token {
        case .number(let number):
            try advance()
            return .constant(number)
        case .name(let name):
            try advance()
            if token == .symbol("(") { return try call(name, at: place) }
            if let expression = names[name] { return expression }
            let known = names.keys.sorted()
            // All bits of all registers would be a long list.
            let list = known.filter { !$0.contains(".") || $0.hasPrefix(name.prefix { $0 != "." } + ".") }
            throw PartExpressionError(
                message: "unknown name '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: "
                    + list.list, offset: place)
        case .symbol("("):
            try advance()
            let term = try conditional()
            try expect(")")
            return term
        default:
            throw PartExpressionError(message: "expected a number, a name or '(', got \(token.text)", offset: offset)
        }
    }

    private mutating func call(_ name: String, at place: Int) throws(PartExpressionError) -> PartExpression {
        let known = PartFunction.allCases.map(\.rawValue)
        guard let function = PartFunction(rawValue: name) else {
            throw PartExpressionError(
                message: "unknown function '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: "
                    + known.list, offset: place)
        }
        var arguments: [PartExpression] = []
        repeat {
            try advance()
            arguments.append(try conditional())
        } while token == .symbol(",")
        try expect(")")
        let range = function.arguments
        guard range.contains(arguments.count) else {
            let count = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw PartExpressionError(
                message: "\(name) takes \(count) number\(count == "1" ? "" : "s"), got \(arguments.count)",
                offset: place)
        }
        return .call(function, arguments)
    }

    /// Parses one level deeper.
    private mutating func nested(
        _ body: (inout PartExpressionParser) throws(PartExpressionError) -> PartExpression
    ) throws(PartExpressionError) -> PartExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw PartExpressionError(message: "nested more than \(Self.maximumDepth) deep", offset: offset)
        }
        return try body(&self)
    }

    private mutating func expect(_ symbol: String) throws(PartExpressionError) {
        guard token == .symbol(symbol) else {
            throw PartExpressionError(message: "expected '\(symbol)', got \(token.text)", offset: offset)
        }
        try advance()
    }

    private mutating func advance() throws(PartExpressionError) {
        while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { position += 1 }
        offset = position
        guard position < bytes.count else {
            token = .end
            return
        }
        if Self.isWord(bytes[position]) {
            while position < bytes.count, Self.isWord(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
                position += 1
            }
            let word = String(decoding: bytes[offset..<position], as: UTF8.self)
            token = bytes[offset] <= UInt8(ascii: "9") ? .number(try number(word)) : .name(word)
            return
        }
        for length in [2, 1] where position + length <= bytes.count {
            let symbol = String(decoding: bytes[position..<position + length], as: UTF8.self)
            guard
                PartOperator(rawValue: symbol) != nil
                    || ["&&", "||", "(", ")", "?", ":", ",", "~", "!"].contains(symbol)
            else { continue }
            position += length
            token = .symbol(symbol)
            return
        }
        let character = String(decoding: bytes[position...], as: UTF8.self).prefix(1)
        let meant = character == "=" ? " (did you mean '=='?)" : ""
        throw PartExpressionError(message: "unexpected '\(character)'\(meant)", offset: offset)
    }

    private func number(_ word: String) throws(PartExpressionError) -> Double {
        if let number = PartNumber.parse(word) { return number }
        throw PartExpressionError(message: "expected a number, got '\(word)'", offset: offset)
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Numbers as files of parts write them.
enum PartNumber {
    /// A decimal number, or a whole one in hexadecimal (`0x`) or binary (`0b`), with `_` between digits.
    static func parse(_ text: String) -> Double? {
        let plain = text.filter { $0 != "_" }
        if plain.hasPrefix("0x") || plain.hasPrefix("0b") {
            return UInt64(plain.dropFirst(2), radix: plain.hasPrefix("0x") ? 16 : 2).flatMap { Double(exactly: $0) }
        }
        guard plain.utf8.allSatisfy({ "0123456789.e+-".utf8.contains($0) }) else { return nil }
        return Double(plain).flatMap { $0.isFinite ? $0 : nil }
    }
}
