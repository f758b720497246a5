import BenchModel

/// A paragraph of pieces with marks, wrapped at words to the width of a terminal.
struct Paragraph {
    private struct Piece {
        let text: String
        let mark: TerminalStyle.Mark
        /// True if the piece is one word, even if it contains spaces.
        let isWord: Bool
    }

    private var pieces: [Piece] = []

    /// A paragraph without text.
    init() {}

    /// A paragraph of one piece.
    init(_ text: String, _ mark: TerminalStyle.Mark = .plain) {
        add(text, mark)
    }

    /// Adds a piece; a space between two pieces must be part of one of them.
    mutating func add(_ text: String, _ mark: TerminalStyle.Mark = .plain) {
        pieces.append(Piece(text: text.printable, mark: mark, isWord: false))
    }

    /// Adds a word that is not broken at its own spaces; a space precedes every word but the first.
    mutating func add(word: String, _ mark: TerminalStyle.Mark = .plain) {
        pieces.append(Piece(text: word.printable, mark: mark, isWord: true))
    }

    /// The paragraph with a line feed at its end.
    ///
    /// - Parameters:
    ///   - indent: the columns before the first line.
    ///   - hanging: the columns before each other line; at most two fifths of a narrow terminal.
    ///   - breaks: the text at the end of each line but the last.
    func text(indent: Int, hanging: Int, _ style: TerminalStyle, breaks: String = "") -> String {
        var layout = Layout(
            style: style, indent: min(hanging, (style.width ?? .max) / 5 * 2), breaks: breaks, room: style.width ?? .max
        )
        layout.line = String(repeating: " ", count: indent)
        layout.column = indent
        for (index, piece) in pieces.enumerated() {
            if piece.isWord {
                layout.add(spaces: index == 0 ? "" : " ", word: piece.text[...], piece.mark)
                continue
            }
            var rest = piece.text[...]
            while !rest.isEmpty {
                let spaces = rest.prefix { $0 == " " }
                rest = rest.dropFirst(spaces.count)
                let word = rest.prefix { $0 != " " }
                rest = rest.dropFirst(word.count)
                layout.add(spaces: spaces, word: word, piece.mark)
            }
        }
        return layout.finished
    }

    /// Lines that are being filled.
    private struct Layout {
        let style: TerminalStyle
        /// The columns before each line but the first.
        let indent: Int
        let breaks: String
        /// The number of columns of a line.
        let room: Int
        var text = ""
        var line = ""
        var column = 0
        /// Text of one mark that has not been written to the line.
        private var run = ""
        private var mark = TerminalStyle.Mark.plain
        /// True if the line has a word.
        private var hasWord = false

        init(style: TerminalStyle, indent: Int, breaks: String, room: Int) {
            self.style = style
            self.indent = indent
            self.breaks = breaks
            self.room = room == .max ? .max : room - TextWidth.columns(breaks)
        }

        mutating func add(spaces: Substring, word: Substring, _ mark: TerminalStyle.Mark) {
            if mark != self.mark {
                writeRun()
                self.mark = mark
            }
            let width = TextWidth.columns(word)
            if hasWord, !spaces.isEmpty, width > 0, spaces.count + width > room - column {
                endLine()
            } else {
                append(spaces, spaces.count)
            }
            if width <= room - column { return append(word, width) }
            // A word that is longer than a line is cut, except in texts that may only be broken at spaces.
            for character in word {
                let width = TextWidth.columns(character)
                if breaks.isEmpty, width > room - column, column > indent { endLine() }
                append(String(character)[...], width)
            }
        }

        private mutating func append(_ part: Substring, _ width: Int) {
            guard !part.isEmpty else { return }
            run += part
            column += width
            if !hasWord, part.contains(where: { $0 != " " }) { hasWord = true }
        }

        private mutating func writeRun() {
            line += style.marked(run, mark)
            run = ""
        }

        private mutating func endLine() {
            writeRun()
            text += line + breaks + "\n"
            line = String(repeating: " ", count: indent)
            column = indent
            hasWord = false
        }

        var finished: String {
            text + line + style.marked(run, mark) + "\n"
        }
    }
}

/// The style of a report: coloured if the terminal supports colours, and wrapped to the terminal's width.
public struct TerminalStyle: Hashable, Sendable {
    /// The minimum width to which lines are wrapped; a narrower terminal wraps them again.
    public static let minimumWidth = 24

    /// True if colours are written.
    public let isColoured: Bool
    /// The number of columns of the terminal; `nil`: lines are not wrapped, e.g. for a file or another program.
    public let width: Int?

    /// A style.
    public init(isColoured: Bool, width: Int? = nil) {
        self.isColoured = isColoured
        self.width = width.map { max(Self.minimumWidth, $0) }
    }

    /// The meaning of a piece of text, which decides on its colour or markup.
    public enum Mark: String, Sendable {
        case plain, good, bad, notable, strong, faint

        /// The parameter of SGR (ECMA-48 8.3.117).
        fileprivate var code: Int? {
            switch self {
            case .plain: nil
            case .strong: 1
            case .faint: 2
            case .bad: 31
            case .good: 32
            case .notable: 33
            }
        }
    }

    func marked(_ text: String, _ mark: Mark) -> String {
        guard isColoured, let code = mark.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// The width of texts in columns of a terminal.
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

    /// The columns of one visible character: those of its base scalar, since combining marks have no width.
    package static func columns(_ character: Character) -> Int {
        guard let base = character.unicodeScalars.first else { return 0 }
        if base.isASCII { return 1 }
        switch base.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if base.properties.isEmojiPresentation { return 2 }
        // A variation selector turns a sign into an emoji of two columns.
        if base.properties.isEmoji, character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(base.value) } ? 2 : 1
    }
}

extension Int {
    /// The number with a comma between thousands: `196,608`.
    var grouped: String {
        var text: [Character] = []
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }

    /// The number with the noun in singular or plural, e.g. `1 suite`, `2 suites`.
    func of(_ noun: String) -> String {
        "\(grouped) \(noun)\(self == 1 ? "" : "s")"
    }
}
