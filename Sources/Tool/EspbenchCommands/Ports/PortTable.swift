/// A table of ports for people.
enum PortTable {
    private static let headings = ["PORT", "ALSO", "DEVICE", "USB ID", "SERIAL", "PLACE", "USED BY"]

    /// The table with a line of headings; columns without content are left out. Empty without ports.
    static func text(_ records: [PortRecord], showsBoards: Bool) -> String {
        guard !records.isEmpty else { return "" }
        var rows = [headings + (showsBoards ? ["BOARD"] : [])]
        rows += records.map { cells($0) + (showsBoards ? [board($0)] : []) }
        let columns = rows[0].indices.filter { column in
            column == 0 || rows.dropFirst().contains { !$0[column].isEmpty }
        }
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, width) in zip(columns, widths) {
                let cell = row[column]
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return line.trimmingSuffix { $0 == " " } + "\n"
        }.joined()
    }

    /// One port in a line, for events.
    static func line(_ record: PortRecord) -> String {
        (cells(record) + [board(record)]).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func cells(_ record: PortRecord) -> [String] {
        let usb = record.usb
        return [
            record.port, record.also ?? "", record.name ?? "", usb.map { "\($0.vendor):\($0.product)" } ?? "",
            usb?.serialNumber ?? "",
            usb?.location ?? "", record.holder ?? "",
        ]
    }

    private static func board(_ record: PortRecord) -> String {
        guard let board = record.board else { return record.error.map { "no answer: \($0)" } ?? "" }
        let flash = board.flashSize.map { ", \($0 >> 20) MB of flash" } ?? ""
        return "\(board.isVirtual ? "virtual " : "")\(board.chip) \(board.mac)\(flash)"
    }
}

extension String {
    /// The text without its last characters that satisfy `isTrimmed`.
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        guard let end = lastIndex(where: { !isTrimmed($0) }) else { return "" }
        return String(self[...end])
    }
}
