/// Replaces comments, string and character literals and preprocessor lines in C++ text by spaces, so that offsets and
/// line numbers stay the same.
enum SourceBlanker {
    private enum State {
        case code, lineComment, blockComment, preprocessor
        case literal(quote: UInt8)
        case rawString(end: [UInt8])
    }

    static func blank(_ text: [UInt8]) -> [UInt8] {
        var result = text
        var state = State.code
        var lineHasCode = false
        var index = 0

        func starts(with bytes: [UInt8], at position: Int) -> Bool {
            position + bytes.count <= text.count && text[position..<position + bytes.count].elementsEqual(bytes)
        }
        func erase(_ count: Int) {
            for position in index..<min(index + count, text.count) where text[position] != newline {
                result[position] = UInt8(ascii: " ")
            }
            index += count
        }

        while index < text.count {
            let byte = text[index]
            if byte == newline { lineHasCode = false }
            switch state {
            case .code:
                if starts(with: Array("//".utf8), at: index) {
                    state = .lineComment
                } else if starts(with: Array("/*".utf8), at: index) {
                    state = .blockComment
                    erase(2)
                } else if byte == UInt8(ascii: "#"), !lineHasCode {
                    state = .preprocessor
                } else if starts(with: Array("R\"".utf8), at: index), let open = rawStringOpening(text, index + 2) {
                    state = .rawString(end: [UInt8(ascii: ")")] + open + [UInt8(ascii: "\"")])
                    erase(2)
                } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && !isDigitSeparator(text, index)) {
                    state = .literal(quote: byte)
                    erase(1)
                } else {
                    if byte != newline, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { lineHasCode = true }
                    index += 1
                }
            case .lineComment, .preprocessor:
                if byte == UInt8(ascii: "\\") {
                    erase(2)
                } else if byte == newline {
                    state = .code
                    index += 1
                } else {
                    erase(1)
                }
            case .blockComment:
                let ends = starts(with: Array("*/".utf8), at: index)
                erase(ends ? 2 : 1)
                if ends { state = .code }
            case .literal(let quote):
                if byte == quote || byte == newline { state = .code }
                erase(byte == UInt8(ascii: "\\") ? 2 : 1)
            case .rawString(let end):
                let ends = starts(with: end, at: index)
                erase(ends ? end.count : 1)
                if ends { state = .code }
            }
        }
        return result
    }

    private static let newline = UInt8(ascii: "\n")

    /// The delimiter between `R"` and `(`.
    private static func rawStringOpening(_ text: [UInt8], _ start: Int) -> [UInt8]? {
        guard start < text.count, let open = text[start...].prefix(17).firstIndex(of: UInt8(ascii: "(")) else {
            return nil
        }
        return Array(text[start..<open])
    }

    /// `1'000`: a quote between digits is no literal.
    private static func isDigitSeparator(_ text: [UInt8], _ index: Int) -> Bool {
        guard index > 0, index + 1 < text.count else { return false }
        let isHexDigit = { (byte: UInt8) in Character(UnicodeScalar(byte)).isHexDigit }
        return isHexDigit(text[index - 1]) && isHexDigit(text[index + 1]) && text[index - 1] != UInt8(ascii: "L")
    }
}
