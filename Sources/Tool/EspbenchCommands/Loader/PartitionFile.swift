import ESPImage
import FirmwareBuild

/// Partition tables in files, as text or as in the flash.
enum PartitionFile {
    /// A table has at most 95 lines; the rest may be comments.
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

    /// The table of the file at `path` as it is in the flash, if its partitions fit a flash of `flashSize` bytes.
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
