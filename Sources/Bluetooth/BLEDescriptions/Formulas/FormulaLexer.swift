/// Splits a formula's text into tokens.
struct FormulaLexer {
    enum Token: Hashable {
        case number(Number)
        case name(String)
        case symbol(String)
        /// A line's end, or `;`.
        case separator
        case end

        /// The token as a message shows it.
        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .name(let name): "'\(name)'"
            case .symbol(let symbol): "'\(symbol)'"
            case .separator: "the end of the line"
            case .end: "the end"
            }
        }
    }

    private static let twoByteSymbols = ["**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"]
    private static let words = ["and": "&&", "or": "||", "not": "not"]

    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next token and where it begins.
    mutating func next() throws(FormulaError) -> (token: Token, offset: Int) {
        while offset < bytes.count, [UInt8(ascii: " "), 9, 13].contains(bytes[offset]) { offset += 1 }
        let start = offset
        guard start < bytes.count else { return (.end, start) }
        switch bytes[start] {
        case UInt8(ascii: "\n"), UInt8(ascii: ";"):
            offset += 1
            return (.separator, start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return (.number(try number()), start)
        case let byte where Self.isNamePart(byte):
            let name = text { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
            return (Self.words[name].map(Token.symbol) ?? .name(name), start)
        default: return (.symbol(try symbol()), start)
        }
    }

    /// Whether `text` can name a value.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy(isNamePart) && words[text] == nil && text != "raw"
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = offset
        while offset < bytes.count, isPart(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func number() throws(FormulaError) -> Number {
        let start = offset
        // A sign belongs to a number only in its exponent.
        let digits = text { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
        if !digits.hasPrefix("0x"), digits.hasSuffix("e") || digits.hasSuffix("E"), offset < bytes.count,
            [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(bytes[offset])
        {
            offset += 1
            let all = String(decoding: bytes[start..<offset], as: UTF8.self) + text(while: Self.isNamePart)
            return try number(all, at: start)
        }
        return try number(digits, at: start)
    }

    private func number(_ digits: String, at start: Int) throws(FormulaError) -> Number {
        let plain = digits.filter { $0 != "_" }
        if plain.hasPrefix("0x") || plain.hasPrefix("0b") {
            let radix = plain.hasPrefix("0x") ? 16 : 2
            if let value = UInt64(plain.dropFirst(2), radix: radix) { return .integer(Int128(value)) }
        } else if let value = Int64(plain) {
            return .integer(Int128(value))
        } else if plain.utf8.allSatisfy({ !Self.isNamePart($0) || Self.isDigitOrExponent($0) }),
            let value = Double(plain), value.isFinite
        {
            return .real(value)
        }
        throw FormulaError(message: "expected a number, got '\(digits)'", offset: start)
    }

    /// `Double` also reads `1p3` and `nan`.
    private static func isDigitOrExponent(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    private mutating func symbol() throws(FormulaError) -> String {
        let two = String(decoding: bytes[offset..<min(offset + 2, bytes.count)], as: UTF8.self)
        if Self.twoByteSymbols.contains(two) {
            offset += 2
            return two
        }
        let one = String(decoding: bytes[offset...offset], as: UTF8.self)
        guard "+-*/%&|^~!<>()?:=,".contains(one) else {
            let character = String(decoding: bytes[offset...], as: UTF8.self).prefix(1)
            throw FormulaError(message: "unexpected '\(character)'", offset: offset)
        }
        offset += 1
        return one
    }
}
