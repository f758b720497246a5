import ByteCodec
import Crypto
import ESPImage

/// A fault that ESP-IDF's bootloader finds in a partition table, with its message (`flash_partitions.c`).
struct PartitionTableFault: Error {
    let line: String

    /// The most entries; one row of the table is reserved for its end (`ESP_PARTITION_TABLE_MAX_ENTRIES`).
    private static let maximumEntries = PartitionTable.length / Partition.entryLength - 1

    /// The table in `flash`.
    static func verify(_ flash: NORFlash) throws(PartitionTableFault) -> PartitionTable {
        let bytes: [UInt8]
        do {
            bytes = try flash.read(at: Int(PartitionTable.offset), count: PartitionTable.length)
        } catch {
            throw PartitionTableFault(line: "reading the partition table failed: \(error)")
        }
        let end = try check(bytes, flashSize: UInt32(clamping: flash.size))
        do {
            return try PartitionTable(bytes[..<end])
        } catch {
            throw PartitionTableFault(line: "\(error)")
        }
    }

    /// Checks row by row; returns the end of the table.
    private static func check(_ bytes: [UInt8], flashSize: UInt32) throws(PartitionTableFault) -> Int {
        var hasDigest = false
        for index in 0..<maximumEntries {
            let row = bytes[index * Partition.entryLength..<(index + 1) * Partition.entryLength]
            let magic = UInt16(row[row.startIndex]) | UInt16(row[row.startIndex + 1]) << 8
            switch magic {
            case 0x50AA:
                let offset = word(row, 4)
                let size = word(row, 8)
                guard offset <= flashSize, size <= flashSize - offset else {
                    throw PartitionTableFault(
                        line: "partition \(index) invalid - offset \(hexadecimal(offset)) size \(hexadecimal(size)) "
                            + "exceeds flash chip size \(hexadecimal(flashSize))")
                }
            case 0xEBEB:
                guard !hasDigest else { throw PartitionTableFault(line: "Only one MD5 checksum is allowed") }
                let digest = Insecure.MD5.hash(data: bytes[..<row.startIndex])
                guard row.suffix(16).elementsEqual(digest) else {
                    throw PartitionTableFault(line: "Incorrect MD5 checksum")
                }
                hasDigest = true
            case 0xFFFF where index > 0 && row[row.startIndex + 2] == 0xFF && row[row.startIndex + 3] == 0xFF:
                return row.startIndex
            default:
                throw PartitionTableFault(
                    line: "partition \(index) invalid magic number \(hexadecimal(magic))")
            }
        }
        throw PartitionTableFault(line: "partition table has no terminating entry, not valid")
    }

    private static func word(_ row: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        row.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
