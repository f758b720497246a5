/// Finds the function definitions at file scope of a sketch, for the prototypes that arduino-cli generates.
///
/// It scans text and does not parse C++: comments, strings and preprocessor lines are blanked, bodies skipped.
/// Templates, members of a class (`A::f`), operators, and functions with default arguments or a trailing return type
/// get no prototype, since C++ would reject it or does not need it.
enum FunctionScanner {
    struct Definition: Equatable {
        /// The definition's head without its body, on one line.
        var signature: String
        /// The line on which the head starts, counted from 1.
        var line: Int
        /// The offset of the head in the text's UTF-8.
        var offset: Int
        var needsPrototype: Bool
    }

    static func definitions(in text: String) -> [Definition] {
        let code = SourceBlanker.blank(Array(text.utf8))
        var found: [Definition] = []
        var start = 0
        var depth = 0
        var parentheses = 0
        for (index, byte) in code.enumerated() {
            switch byte {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses = max(0, parentheses - 1)
            case UInt8(ascii: "{"):
                if depth == 0, parentheses == 0, let definition = definition(code, start..<index) {
                    found.append(definition)
                }
                // A function inside `extern "C" {` or `namespace {` must be declared inside one, too: it gets no
                // prototype.
                depth += 1
            case UInt8(ascii: "}"):
                depth = max(0, depth - 1)
                if depth == 0 { start = index + 1 }
            case UInt8(ascii: ";") where depth == 0 && parentheses == 0:
                start = index + 1
            default: break
            }
        }
        return found
    }

    private static let notFunctions: Set<String> = [
        "class", "struct", "union", "enum", "namespace", "typedef", "using", "extern", "if", "for", "while", "switch",
        "do",
        "else", "return",
    ]

    private static func definition(_ code: [UInt8], _ range: Range<Int>) -> Definition? {
        guard let first = range.first(where: { !isSpace(code[$0]) }) else { return nil }
        let head = code[first..<range.upperBound]
        let signature = collapse(head)
        guard let open = signature.firstIndex(of: "("), signature.contains(")") else { return nil }
        let words = signature[..<open].split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map(
            String.init)
        // A return type and a name before the parenthesis, and no initialiser.
        guard words.count >= 2, let leading = words.first, !notFunctions.contains(leading),
            !signature[..<open].contains("=")
        else { return nil }
        let line = 1 + code[..<first].count { $0 == UInt8(ascii: "\n") }
        let isMember = signature[..<open].split(separator: " ").last?.contains("::") ?? false
        let isPlain =
            leading != "template" && !words.contains("operator") && !isMember
            && !signature.contains("=") && !signature.contains("->") && !signature.contains("[")
        return Definition(signature: signature, line: line, offset: first, needsPrototype: isPlain)
    }

    private static func collapse(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
