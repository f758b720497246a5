import ESPImage
import SerialPort

/// Partition tables for people and for programs.
enum PartitionText {
    /// A partition as JSON.
    struct Record: Codable {
        var name: String
        var type: String
        var subtype: String
        var offset: UInt32
        var size: UInt32
        var flags: [String]

        init(_ partition: Partition) {
            (name, offset, size) = (partition.name, partition.offset, partition.size)
            (type, subtype, flags) = (partition.kindName, partition.subtypeName, partition.flagNames)
        }
    }

    /// A table in columns.
    static func table(_ table: PartitionTable) -> String {
        let rows =
            [["NAME", "TYPE", "SUBTYPE", "OFFSET", "END", "SIZE", "FLAGS"]]
            + safe(table).partitions.map { partition in
                [
                    partition.name, partition.kindName, partition.subtypeName,
                    hexadecimal(UInt64(partition.offset)), hexadecimal(partition.end), partition.sizeText,
                    partition.flagNames.joined(separator: " "),
                ]
            }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    /// The table with names that a terminal can show: a board or a file may have any bytes there.
    static func safe(_ table: PartitionTable) -> PartitionTable {
        var result = table
        for index in result.partitions.indices {
            result.partitions[index].name = DeviceText.withoutControls(result.partitions[index].name)
        }
        return result
    }

    /// An array of objects.
    static func json(_ table: PartitionTable) throws -> String {
        try PortRecord.json(table.partitions.map(Record.init)) + "\n"
    }

    private static func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
