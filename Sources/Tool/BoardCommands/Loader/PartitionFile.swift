import CommandSupport
import ESPImage
import FirmwareBuild
import SerialPort

/// Partition tables in files, as text or in binary form.
enum PartitionFile {
    /// The maximum size in bytes: a table has at most 95 lines; the rest may be comments.
    private static let longestText = 1 << 18

    /// The table in the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func read(_ path: String) throws(CommandFailure) -> PartitionTable {
        let bytes = try InputFile.read(path)
        return try read(path, bytes)
    }

    /// The table in `bytes`, of the file at `path`: text, a table, or a whole flash.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func read(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) -> PartitionTable {
        do throws(ImageError) {
            if bytes.starts(with: Partition.magic) { return try PartitionTable(bytes[...]) }
            if let table = try? PartitionTable(bytes.dropFirst(Int(PartitionTable.offset))) { return table }
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                throw ImageError(
                    .badMagic, "partition table",
                    "expected text (CSV), a table (it begins with aa 50) or a whole flash, got other bytes")
            }
            guard bytes.count <= longestText else {
                throw ImageError(
                    .syntax, "partition table",
                    "expected at most \(longestText) bytes of text (CSV), got \(bytes.count)")
            }
            let table = try PartitionTable(csv: text)
            guard !table.partitions.isEmpty else {
                throw ImageError(.syntax, "partition table", "expected at least one partition, got none")
            }
            return table
        } catch {
            throw CommandFailure(imageError: error, path)
        }
    }

    /// The table of the file at `path` in binary form; its partitions must fit a flash of `flashSize` bytes.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func bytes(
        of table: PartitionTable, _ path: String, flashSize: UInt64 = 1 << 32
    ) throws(CommandFailure) -> [UInt8] {
        do throws(ImageError) {
            try table.check(flashSize: flashSize)
            return try table.bytes()
        } catch {
            throw CommandFailure(imageError: error, path)
        }
    }
}

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

    /// A table as columns of text.
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

    /// The table with printable names only, since a name in a board or file may contain any bytes.
    static func safe(_ table: PartitionTable) -> PartitionTable {
        var result = table
        for index in result.partitions.indices {
            result.partitions[index].name = DeviceText.withoutControls(result.partitions[index].name)
        }
        return result
    }

    /// A JSON array with one object per partition.
    static func json(_ table: PartitionTable) throws -> String {
        try JSONLine.text(table.partitions.map(Record.init)) + "\n"
    }

    private static func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
