internal import BenchReports

/// A table at the end of a terminal's output that is drawn again in its place.
package struct LiveTable: Sendable {
    private static let headings = ["PEER", "RSSI", "NAME", "ADVERTISES"]

    private var size: TerminalSize
    private var drawnLines = 0

    /// A table on a terminal of this size.
    package init(_ size: TerminalSize) {
        self.size = size
    }

    /// The text that draws the table over the one before, on a terminal that may have another size now. Rows that do
    /// not fit on the screen are counted in its last line; `isLast` draws them all, below each other.
    package mutating func frame(_ records: [ScanRecord], on newSize: TerminalSize, isLast: Bool = false) -> String {
        var lines = Self.lines(records)
        // The cursor stands below the table.
        let room = max(4, newSize.height) - 1
        if !isLast, lines.count > room {
            let hidden = lines.count - (room - 1)
            lines = lines.prefix(room - 1) + ["… and \(hidden) more"]
        }
        var start = "\r"
        if drawnLines > 0, newSize != size {
            // Terminals wrap, cut or scroll what was drawn, each in its own way.
            start = "\u{1B}[H\u{1B}[2J"
        } else if drawnLines > 0 {
            start += "\u{1B}[\(drawnLines)A"
        }
        size = newSize
        drawnLines = isLast ? 0 : lines.count
        let width = max(20, size.width)
        return start + lines.map { "\(Self.fitted($0, width))\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// The lines of a table with headings.
    package static func lines(_ records: [ScanRecord]) -> [String] {
        let rows = [headings] + records.map(\.cells)
        let widths = headings.indices.map { column in rows.map { TextWidth.columns($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - TextWidth.columns(cell))
                // Numbers end in one column.
                line += (column == 1 ? padding + cell : cell + padding) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The beginning of `line` that `width` columns hold.
    private static func fitted(_ line: String, _ width: Int) -> String {
        guard TextWidth.columns(line) > width else { return line }
        var (text, columns) = ("", 0)
        for character in line {
            columns += TextWidth.columns(character)
            guard columns < width else { break }
            text.append(character)
        }
        return text + "…"
    }
}

/// The size of a terminal, in columns and lines.
package struct TerminalSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
