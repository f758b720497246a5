/// A token of C++ text, with the file and line that line markers give it.
struct SourceToken {
    enum Kind {
        case word, number, literal, punctuation
    }

    var kind: Kind
    /// Its bytes in the text.
    var range: Range<Int>
    /// The number of its file in ``SourceTokens/files``.
    var file: Int
    /// Counted from 1.
    var line: Int
}

/// The tokens of C++ text, without comments and preprocessor lines.
///
/// Line markers of the preprocessor (`# 12 "file"`) and `#line` directives set the file and line of the following
/// tokens.
struct SourceTokens {
    let text: [UInt8]
    private(set) var tokens: [SourceToken] = []
    /// The paths of line markers; number 0 is the text before the first marker.
    private(set) var files: [String] = [""]

    private var index = 0
    private var file = 0
    private var line = 1

    init(_ text: [UInt8]) {
        self.text = text
        read()
    }

    /// The bytes of `token` as text.
    func string(_ token: SourceToken) -> String { String(decoding: text[token.range], as: UTF8.self) }

    private mutating func read() {
        var lineHasCode = false
        while index < text.count {
            let byte = text[index]
            if byte == .newline {
                lineHasCode = false
                advance(1)
            } else if byte == .space || (9...13).contains(byte) {
                advance(1)
            } else if starts(with: "//") {
                skipLine()
            } else if starts(with: "/*") {
                skipComment()
            } else if byte == UInt8(ascii: "#"), !lineHasCode {
                directive()
            } else {
                lineHasCode = true
                token(byte)
            }
        }
    }

    private mutating func token(_ byte: UInt8) {
        let start = index
        let firstLine = line
        var kind = SourceToken.Kind.punctuation
        if byte.startsWord {
            while index < text.count, text[index].continuesWord { advance(1) }
            kind = .word
            if index < text.count, text[index] == .quote || text[index] == .apostrophe {
                // A prefix of a literal: u8"…", R"(…)", L'…'.
                let prefix = String(decoding: text[start..<index], as: UTF8.self)
                if prefix.hasSuffix("R"), text[index] == .quote, Self.literalPrefixes.contains(prefix) {
                    rawString()
                    kind = .literal
                } else if Self.literalPrefixes.contains(prefix) {
                    literal(text[index])
                    kind = .literal
                }
            }
        } else if byte.isDigit || (byte == UInt8(ascii: ".") && index + 1 < text.count && text[index + 1].isDigit) {
            number()
            kind = .number
        } else if byte == .quote || byte == .apostrophe {
            literal(byte)
            kind = .literal
        } else {
            advance(starts(with: "::") || starts(with: "->") || starts(with: "==") ? 2 : 1)
        }
        tokens.append(SourceToken(kind: kind, range: start..<index, file: file, line: firstLine))
    }

    private static let literalPrefixes: Set<String> = ["u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"]

    private mutating func number() {
        while index < text.count {
            let byte = text[index]
            // 1'000 and 1e-3 are one number.
            let isSeparator = byte == .apostrophe && index + 1 < text.count && text[index + 1].continuesWord
            let isSign =
                (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && "eEpP".utf8.contains(text[index - 1])
            guard byte.continuesWord || byte == UInt8(ascii: ".") || isSeparator || isSign else { return }
            advance(1)
        }
    }

    private mutating func literal(_ quote: UInt8) {
        advance(1)
        while index < text.count, text[index] != .newline {
            if text[index] == .backslash {
                advance(2)
            } else {
                let ends = text[index] == quote
                advance(1)
                if ends { return }
            }
        }
    }

    private mutating func rawString() {
        let open = index + 1
        let delimiter = text[open...].prefix(17)
        guard let parenthesis = delimiter.firstIndex(of: UInt8(ascii: "(")) else { return literal(.quote) }
        let end = [UInt8(ascii: ")")] + text[open..<parenthesis] + [.quote]
        advance(parenthesis + 1 - index)
        while index < text.count, !text[index...].starts(with: end) { advance(1) }
        advance(end.count)
    }

    private mutating func skipLine() {
        while index < text.count, text[index] != .newline {
            advance(text[index] == .backslash ? 2 : 1)
        }
    }

    private mutating func skipComment() {
        advance(2)
        while index < text.count, !starts(with: "*/") { advance(1) }
        advance(2)
    }

    /// A preprocessor line; a line marker sets file and line.
    private mutating func directive() {
        let start = index
        // A comment that begins on this line may end on another.
        while index < text.count, text[index] != .newline {
            if starts(with: "/*") {
                skipComment()
            } else if starts(with: "//") {
                skipLine()
            } else if text[index] == .quote {
                literal(.quote)
            } else {
                advance(text[index] == .backslash ? 2 : 1)
            }
        }
        let end = min(index, text.count)
        let words = text[start + 1..<max(start + 1, end)].split(
            maxSplits: 2, whereSeparator: { $0 == .space || $0 == 9 })
        let numbers = words.first.map { Array($0) == Array("line".utf8) ? words.dropFirst() : words[...] } ?? []
        guard let number = numbers.first.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }), number >= 0 else {
            return
        }
        if let open = text[start..<end].firstIndex(of: .quote) {
            file = self.number(ofFile: Self.unquoted(text[open..<end]))
        }
        // The line break at the end of the marker adds one.
        line = number - 1
    }

    private mutating func number(ofFile path: String) -> Int {
        if let known = files.firstIndex(of: path) { return known }
        files.append(path)
        return files.count - 1
    }

    /// The string literal that `text` begins with, without quotes and escapes.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text.dropFirst() {
            if isEscaped {
                bytes.append(byte)
                isEscaped = false
            } else if byte == .backslash {
                isEscaped = true
            } else if byte == .quote {
                break
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count where index < text.count {
            if text[index] == .newline { line += 1 }
            index += 1
        }
    }

    private func starts(with pair: String) -> Bool {
        text[index..<min(index + 2, text.count)].elementsEqual(pair.utf8)
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let backslash = UInt8(ascii: "\\")

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True if an identifier may begin with it; bytes of UTF-8 beyond ASCII may.
    var startsWord: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || self == UInt8(ascii: "_") || self >= 0x80
    }

    var continuesWord: Bool { startsWord || isDigit }
}
