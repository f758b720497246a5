/// Splits an expression's text into tokens.
struct ExpressionLexer {
    enum Token: Hashable {
        case number(Int64)
        case name(String)
        case symbol(String)
        case end

        /// The token as a message shows it.
        var text: String {
            switch self {
            case .number(let value): "\(value)"
            case .name(let name): "'\(name)'"
            case .symbol(let symbol): "'\(symbol)'"
            case .end: "the end"
            }
        }
    }

    private static let twoByteSymbols = ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"]

    private let bytes: [UInt8]
    /// The offset at which the next token is searched.
    private(set) var offset: Int

    init(_ text: String, from offset: Int = 0) {
        bytes = Array(text.utf8)
        self.offset = offset
    }

    /// The next token and its offset.
    mutating func next() throws(ExpressionError) -> (token: Token, offset: Int) {
        while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") || bytes[offset] == 9 || bytes[offset] == 10 {
            offset += 1
        }
        let start = offset
        guard start < bytes.count else { return (.end, start) }
        switch bytes[start] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return (.number(try number()), start)
        case UInt8(ascii: "'"): return (.number(try character()), start)
        case let byte where Self.isNameStart(byte): return (.name(name()), start)
        default: return (.symbol(try symbol()), start)
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// True if `text` can name a parameter.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return isNameStart(first) && text.utf8.allSatisfy(isNamePart)
    }

    private mutating func name() -> String {
        let start = offset
        while offset < bytes.count, Self.isNamePart(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func number() throws(ExpressionError) -> Int64 {
        let start = offset
        let word = name().filter { $0 != "_" }
        let value: Int64? =
            if word.hasPrefix("0x") || word.hasPrefix("0X") {
                Int64(word.dropFirst(2), radix: 16)
            } else if word.hasPrefix("0b") || word.hasPrefix("0B") {
                Int64(word.dropFirst(2), radix: 2)
            } else {
                Int64(word)
            }
        guard let value else {
            throw ExpressionError(
                "expected a number such as 42, 0x2a or 0b101010 within 64 bits, got '\(word)'", at: start)
        }
        return value
    }

    private mutating func character() throws(ExpressionError) -> Int64 {
        let start = offset
        guard start + 2 < bytes.count, bytes[start + 2] == UInt8(ascii: "'"), (0x20...0x7E).contains(bytes[start + 1])
        else { throw ExpressionError("expected one printable ASCII character between single quotes", at: start) }
        offset += 3
        return Int64(bytes[start + 1])
    }

    private mutating func symbol() throws(ExpressionError) -> String {
        let pair = String(decoding: bytes[offset..<min(offset + 2, bytes.count)], as: UTF8.self)
        if Self.twoByteSymbols.contains(pair) {
            offset += 2
            return pair
        }
        guard "+-*/%&|^~!<>?:()[],{}".utf8.contains(bytes[offset]) else {
            let rest = String(decoding: bytes[offset...], as: UTF8.self)
            throw ExpressionError("expected a number, a name or an operator, got '\(rest.prefix(1))'", at: offset)
        }
        offset += 1
        return String(decoding: bytes[offset - 1..<offset], as: UTF8.self)
    }
}
