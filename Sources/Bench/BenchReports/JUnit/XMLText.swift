/// Bytes of an XML 1.0 document.
///
/// Characters that XML cannot contain are replaced by U+FFFD, and the escape sequences with which a console colours its
/// text are left out: logs of a board contain both.
struct XMLText: Sendable {
    private static let escape: Unicode.Scalar = "\u{1B}"

    /// What is written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes markup as it is.
    mutating func markup(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes ` name="value"`, with line ends and tabs as references, since a parser would read them as blanks.
    mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" \(name)=\"")
        append(value, isAttribute: true)
        markup("\"")
    }

    /// Writes ` name="value"`.
    mutating func attribute(_ name: StaticString, _ value: Int) {
        attribute(name, String(value))
    }

    /// Writes the text of an element.
    mutating func content(_ text: String) {
        append(text, isAttribute: false)
    }

    private mutating func append(_ text: String, isAttribute: Bool) {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            if scalar == Self.escape, let end = Self.endOfSequence(in: scalars[index...]) {
                index = end
                continue
            }
            scalars.formIndex(after: &index)
            switch scalar {
            case "&": markup("&amp;")
            case "<": markup("&lt;")
            case ">": markup("&gt;")
            case "\"" where isAttribute: markup("&quot;")
            case "\r": markup("&#13;")
            case "\n" where isAttribute: markup("&#10;")
            case "\t" where isAttribute: markup("&#9;")
            case "\n", "\t", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                markup(String(scalar))
            default: markup("\u{FFFD}")
            }
        }
    }

    /// Where the control sequence ends with which `text` begins (ECMA-48, 5.4: `ESC [`, parameters, a final byte).
    private static func endOfSequence(in text: Substring.UnicodeScalarView) -> String.Index? {
        var rest = text.dropFirst()
        guard rest.first == "[" else { return nil }
        rest = rest.dropFirst().drop { ("\u{20}"..."\u{3F}").contains($0) }
        guard let final = rest.first, ("\u{40}"..."\u{7E}").contains(final) else { return nil }
        return rest.index(after: rest.startIndex)
    }
}
