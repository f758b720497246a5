/// How many columns of a terminal a text takes.
package enum TextWidth {
    /// Scalars of two columns (Unicode 15 EastAsianWidth.txt, values W and F), in order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// The columns of `text`, which has no control characters.
    package static func columns(_ text: some StringProtocol) -> Int {
        // Nearly every text is ASCII.
        let utf8 = text.utf8
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return text.reduce(0) { $0 + columns($1) }
    }

    /// The columns of what a reader sees as one character: those of its base, as marks take none.
    package static func columns(_ character: Character) -> Int {
        guard let base = character.unicodeScalars.first else { return 0 }
        if base.isASCII { return 1 }
        switch base.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if base.properties.isEmojiPresentation { return 2 }
        // A variation selector makes a picture of a sign.
        if base.properties.isEmoji, character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(base.value) } ? 2 : 1
    }
}
