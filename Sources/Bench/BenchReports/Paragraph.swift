import BenchModel

/// A paragraph of pieces with marks, wrapped at words to the width of a terminal.
struct Paragraph {
    private struct Piece {
        let text: String
        let mark: TerminalStyle.Mark
        /// Whether it is one word, whatever spaces are in it.
        let isWord: Bool
    }

    private var pieces: [Piece] = []

    /// A paragraph without text.
    init() {}

    /// A paragraph of one piece.
    init(_ text: String, _ mark: TerminalStyle.Mark = .plain) {
        add(text, mark)
    }

    /// Adds a piece; spaces between pieces are part of one of them.
    mutating func add(_ text: String, _ mark: TerminalStyle.Mark = .plain) {
        pieces.append(Piece(text: text.printable, mark: mark, isWord: false))
    }

    /// Adds a word that is not broken at its own spaces, after a space if it is not the first.
    mutating func add(word: String, _ mark: TerminalStyle.Mark = .plain) {
        pieces.append(Piece(text: word.printable, mark: mark, isWord: true))
    }

    /// The paragraph with a line feed at its end.
    ///
    /// - Parameters:
    ///   - indent: the columns before the first line.
    ///   - hanging: the columns before each other line; two fifths of a narrow terminal at most.
    ///   - breaks: what stands at the end of each line but the last.
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
        /// How many columns a line has.
        let room: Int
        var text = ""
        var line = ""
        var column = 0
        /// Text of one mark that has not been written to the line.
        private var run = ""
        private var mark = TerminalStyle.Mark.plain
        /// Whether the line has a word.
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
            // A word that no line holds is cut, except in what may only be broken at spaces.
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
