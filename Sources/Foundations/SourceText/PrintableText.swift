extension String {
    /// The text with visible forms of characters that would control a terminal, begin a line, change the direction of
    /// writing, or be invisible: `\x1b`, `\n`. Joiners are part of words and emoji.
    public var printable: String {
        guard unicodeScalars.contains(where: Self.controls) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where !Self.controls(scalar): text.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x100: text += "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
            default: text += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }

    private static func controls(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
