/// Values as a suite's or a project's file has them.
enum YAMLText {
    /// Text as it is where YAML takes it for that text and nothing else, otherwise in quotes.
    static func scalar(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isPlain =
            text.first?.isLetter == true
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.unicodeScalars.allSatisfy {
                        $0.isASCII && ($0.properties.isAlphabetic || "0123456789_-./".unicodeScalars.contains($0))
                    }
            } && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain ? text : quoted(text)
    }

    /// Text in double quotes.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\t": "\\t"
            case let unseen where isUnseen(unseen):
                "\\U"
                    + [24, 16, 8, 0].map { hexadecimal(UInt8(truncatingIfNeeded: unseen.value >> $0)) }.joined()
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// YAML refuses some of these, and takes U+2028 for the end of a line.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned]
            .contains(scalar.properties.generalCategory)
    }

    /// Text of a console line or a value, in which braces stand for themselves; `nil` when a suite would take it for a
    /// regular expression, or cannot have it.
    static func template(_ text: String) -> String? {
        guard !text.hasPrefix("/"), !text.isEmpty, !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        return quoted(text.replacing("{", with: "{{").replacing("}", with: "}}"))
    }

    /// A value as text, if that is what it is.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 1, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return template(String(decoding: bytes, as: UTF8.self))
    }

    static func bytes(_ bytes: [UInt8]) -> String { bytes.map(octet).joined(separator: ", ") }

    static func octet(_ byte: UInt8) -> String { "0x" + hexadecimal(byte) }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
