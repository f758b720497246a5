/// A table at the end of a terminal's output that is drawn again in its place.
package struct LiveTable: Sendable {
    private static let headings = ["PEER", "RSSI", "NAME", "ADVERTISES"]

    private let width: Int
    private let height: Int
    private var drawnLines = 0

    /// A table on a terminal of this size, in columns and lines.
    package init(width: Int, height: Int) {
        self.width = max(20, width)
        self.height = max(4, height)
    }

    /// The text that draws the table over the one before. Rows that do not fit on the screen are counted in its last
    /// line; `isLast` draws them all, below each other.
    package mutating func frame(_ records: [ScanRecord], isLast: Bool = false) -> String {
        var lines = Self.lines(records)
        // The cursor stands below the table.
        let room = height - 1
        if !isLast, lines.count > room {
            let hidden = lines.count - (room - 1)
            lines = lines.prefix(room - 1) + ["… and \(hidden) more"]
        }
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        drawnLines = isLast ? 0 : lines.count
        return "\r" + up + lines.map { "\(fitted($0))\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// The lines of a table with headings.
    package static func lines(_ records: [ScanRecord]) -> [String] {
        let rows = [headings] + records.map(\.cells)
        let widths = headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                // Numbers end in one column.
                line += (column == 1 ? padding + cell : cell + padding) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func fitted(_ line: String) -> String {
        line.count > width ? line.prefix(width - 1) + "…" : line
    }
}
