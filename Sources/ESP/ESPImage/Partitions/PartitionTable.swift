import ByteCodec
import Crypto

/// The partitions of a flash.
public struct PartitionTable: Hashable, Sendable {
    /// The flash offset of the table.
    public static let offset: UInt32 = 0x8000
    /// The length of the table in flash, in bytes; the unused part is `FF`.
    public static let length = 0xC00
    /// The first address that a partition may have.
    public static let firstPartitionOffset: UInt32 = 0x9000

    /// The first half of the row that holds the digest.
    private static let digestRow: [UInt8] = [0xEB, 0xEB] + [UInt8](repeating: 0xFF, count: 14)

    /// The partitions, in the order of the table.
    public var partitions: [Partition]

    /// A table of `partitions`; ``check(flashSize:)`` validates it.
    public init(_ partitions: [Partition]) {
        self.partitions = partitions
    }

    /// The default of arduino-esp32 for boards with 4 MB of flash (its `default.csv`).
    public static let arduino4MB = PartitionTable([
        Partition(name: "nvs", kind: .data, subtype: 0x02, offset: 0x9000, size: 0x5000),
        Partition(name: "otadata", kind: .data, subtype: 0x00, offset: 0xE000, size: 0x2000),
        Partition(name: "app0", kind: .app, subtype: 0x10, offset: 0x1_0000, size: 0x14_0000),
        Partition(name: "app1", kind: .app, subtype: 0x11, offset: 0x15_0000, size: 0x14_0000),
        Partition(name: "spiffs", kind: .data, subtype: 0x82, offset: 0x29_0000, size: 0x16_0000),
        Partition(name: "coredump", kind: .data, subtype: 0x03, offset: 0x3F_0000, size: 0x1_0000),
    ])

    /// arduino-esp32's `huge_app.csv`: one application of 3 MB, for programs with sanitizers.
    public static let hugeApp = PartitionTable([
        Partition(name: "nvs", kind: .data, subtype: 0x02, offset: 0x9000, size: 0x5000),
        Partition(name: "otadata", kind: .data, subtype: 0x00, offset: 0xE000, size: 0x2000),
        Partition(name: "app0", kind: .app, subtype: 0x10, offset: 0x1_0000, size: 0x30_0000),
        Partition(name: "spiffs", kind: .data, subtype: 0x82, offset: 0x31_0000, size: 0xE_0000),
        Partition(name: "coredump", kind: .data, subtype: 0x03, offset: 0x3F_0000, size: 0x1_0000),
    ])

    /// The partition with this name.
    public func named(_ name: String) -> Partition? {
        partitions.first { $0.name == name }
    }

    /// The application that boots when no OTA data select one: `factory`, else the first `ota` slot, else `test`.
    public var defaultApp: Partition? {
        partitions.filter(\.isApp).min { $0.subtype < $1.subtype }
    }

    /// Parses a table, and verifies its digest if it has one.
    ///
    /// - Parameter bytes: the table in flash, up to `FF` or the end of the bytes.
    /// - Throws: ``ImageError`` with code `badMagic` for an empty or foreign table, `truncated`, or `hash`.
    public init(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
        var partitions: [Partition] = []
        var reader = ByteReader(bytes.prefix(Self.length), subject: "partition table")
        var digests: (stored: ArraySlice<UInt8>, computed: [UInt8])?
        var foreign: (offset: Int, head: ArraySlice<UInt8>)?
        do throws(CodecError) {
            while reader.remaining > 0 {
                let start = reader.offset
                let head = try reader.slice(2)
                if head == [0xFF, 0xFF] { break }
                if head.elementsEqual(Self.digestRow.prefix(2)) {
                    _ = try reader.slice(Self.digestRow.count - 2)
                    let stored = try reader.slice(Insecure.MD5.byteCount)
                    digests = (stored, Self.digest(bytes.prefix(start)))
                    break
                }
                guard head.elementsEqual(Partition.magic) else {
                    foreign = (start, head)
                    break
                }
                partitions.append(try Partition(from: &reader))
            }
        } catch {
            if case .truncated = error.code { throw ImageError(error) }
            throw ImageError(.badMagic, error.subject, error.detail)
        }
        if let foreign {
            throw ImageError(
                .badMagic, "partition table",
                "expected an entry beginning with aa 50 at offset \(foreign.offset), got "
                    + Hexadecimal.string(foreign.head, separator: " "))
        }
        if let digests, !digests.stored.elementsEqual(digests.computed) {
            throw ImageError(
                .hash, "partition table MD5",
                "expected \(Hexadecimal.string(digests.computed)), got \(Hexadecimal.string(digests.stored))")
        }
        guard !partitions.isEmpty else {
            throw ImageError(.badMagic, "partition table", "expected at least one entry, got none")
        }
        self.partitions = partitions
    }

    /// The table in flash: ``length`` bytes.
    ///
    /// - Throws: ``ImageError`` with code `layout` when there are too many partitions.
    public func bytes() throws(ImageError) -> [UInt8] {
        var writer = ByteWriter(capacity: Self.length)
        for partition in partitions { partition.write(to: &writer) }
        let digest = Self.digest(writer.bytes[...])
        writer.append(Self.digestRow)
        writer.append(digest)
        guard writer.count + Partition.entryLength <= Self.length else {
            throw ImageError(
                .layout, "partition table",
                "expected at most \(Self.length / Partition.entryLength - 2) partitions, got \(partitions.count)")
        }
        writer.append(repeatElement(0xFF, count: Self.length - writer.count))
        return writer.bytes
    }

    /// Validates the table: names, alignment, overlaps, and the size of the flash.
    ///
    /// - Throws: ``ImageError`` with code `layout`.
    public func check(flashSize: UInt64) throws(ImageError) {
        var names: Set<String> = []
        for partition in partitions {
            let subject = "partition \(partition.name)"
            guard names.insert(partition.name).inserted else {
                throw ImageError(.layout, subject, "expected a name of its own, got it twice")
            }
            guard !partition.name.isEmpty, partition.name.utf8.count <= Partition.nameLimit else {
                throw ImageError(.layout, subject, "expected a name of 1 to \(Partition.nameLimit) bytes")
            }
            let alignment = partition.kind.alignment
            guard partition.offset % alignment == 0 else {
                throw ImageError(
                    .layout, subject,
                    "expected an offset that is a multiple of \(hexadecimal(alignment)), "
                        + "got \(hexadecimal(partition.offset))")
            }
            guard partition.offset >= Self.firstPartitionOffset else {
                throw ImageError(
                    .layout, subject,
                    "expected an offset from \(hexadecimal(Self.firstPartitionOffset)), "
                        + "got \(hexadecimal(partition.offset))")
            }
            guard partition.end <= flashSize else {
                throw ImageError(
                    .layout, subject,
                    "expected to end in a flash of \(hexadecimal(flashSize)) bytes, got \(hexadecimal(partition.end))")
            }
        }
        let ordered = partitions.sorted { $0.offset < $1.offset }
        for (former, latter) in zip(ordered, ordered.dropFirst()) where former.end > latter.offset {
            throw ImageError(
                .layout, "partition \(latter.name)",
                "expected to begin after \(former.name), which ends at \(hexadecimal(former.end)), "
                    + "got \(hexadecimal(latter.offset))")
        }
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var md5 = Insecure.MD5()
        bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
        return Array(md5.finalize())
    }
}
