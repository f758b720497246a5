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

    /// The first half of the row with the digest.
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

    /// Validates the table as `gen_esp32part.py` (1.5) does: names, alignment, overlaps, the partitions that must be
    /// unique or writable, and the size of the flash.
    ///
    /// - Throws: ``ImageError`` with code `layout`.
    public func check(flashSize: UInt64) throws(ImageError) {
        var names: Set<String> = []
        for partition in partitions {
            let subject = "partition \(partition.name)"
            guard names.insert(partition.name).inserted else {
                throw ImageError(.layout, subject, "expected a unique name, got it twice")
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
            guard partition.offset >= Self.firstPartitionOffset || partition.describesBeginning else {
                throw ImageError(
                    .layout, subject,
                    "expected an offset from \(hexadecimal(Self.firstPartitionOffset)), "
                        + "got \(hexadecimal(partition.offset))")
            }
            guard partition.end <= flashSize else {
                throw ImageError(
                    .layout, subject,
                    """
                    expected an end within the flash of \(hexadecimal(flashSize)) bytes, got \
                    \(hexadecimal(partition.end))
                    """)
            }
            try partition.checkSize(subject)
        }
        for subtype in [PartitionNames.ota, PartitionNames.teeOTA] {
            let all = partitions.filter { $0.kind == .data && $0.subtype == subtype }
            guard let second = all.dropFirst().first else { continue }
            throw ImageError(
                .layout, "partition \(second.name)",
                "expected one partition of type data and subtype \(second.subtypeName), got \(all.count)")
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

/// One entry of a partition table ("Partition Tables", ESP-IDF programming guide).
public struct Partition: Hashable, Sendable {
    /// The type of a partition; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The byte in the entry.
        public let rawValue: UInt8

        /// A kind by its byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Applications.
        public static let app = Kind(rawValue: 0)
        /// Data.
        public static let data = Kind(rawValue: 1)
        /// A second-stage bootloader.
        public static let bootloader = Kind(rawValue: 2)
        /// A partition table.
        public static let partitionTable = Kind(rawValue: 3)

        /// The required alignment of such a partition's offset, in bytes.
        var alignment: UInt32 { self == .app ? 0x1_0000 : 0x1000 }
    }

    /// The first two bytes of an entry.
    public static let magic: [UInt8] = [0xAA, 0x50]
    /// The length of an entry, in bytes.
    public static let entryLength = 32
    /// The longest name, in bytes.
    public static let nameLimit = 16

    /// Its name.
    public var name: String
    /// Its kind.
    public var kind: Kind
    /// Its subtype.
    public var subtype: UInt8
    /// Its first address in flash.
    public var offset: UInt32
    /// Its length, in bytes.
    public var size: UInt32
    /// Bit 0: encrypted; bit 1: read-only.
    public var flags: UInt32

    /// All fields.
    public init(name: String, kind: Kind, subtype: UInt8, offset: UInt32, size: UInt32, flags: UInt32 = 0) {
        self.name = name
        self.kind = kind
        self.subtype = subtype
        self.offset = offset
        self.size = size
        self.flags = flags
    }

    /// The first address after it.
    public var end: UInt64 { UInt64(offset) + UInt64(size) }

    /// True if the partition is for an application image, which a bootloader may choose.
    public var isApp: Bool { kind == .app }

    /// True if the partition describes the bootloader or the table themselves, which come before all others.
    fileprivate var describesBeginning: Bool { (kind == .bootloader || kind == .partitionTable) && subtype == 0 }

    /// Throws unless the size and the flags are allowed for the kind and the subtype.
    fileprivate func checkSize(_ subject: String) throws(ImageError) {
        func fault(_ expected: String, _ found: String) -> ImageError {
            ImageError(.layout, subject, "expected \(expected), got \(found)")
        }
        if kind == .app, size % 0x1000 != 0 { throw fault("a size that is a multiple of 0x1000", hexadecimal(size)) }
        guard kind == .data else { return }
        let isReadOnly = flags & 2 != 0
        if subtype == PartitionNames.ota || subtype == PartitionNames.teeOTA, size != 0x2000 {
            throw fault("a size of 0x2000, two sectors of OTA data", hexadecimal(size))
        }
        if subtype == PartitionNames.nvs, size < Self.leastNVS, !isReadOnly {
            throw fault("at least \(hexadecimal(Self.leastNVS)) bytes for NVS, or the flag readonly", hexadecimal(size))
        }
        if subtype == PartitionNames.ota || subtype == PartitionNames.coredump, isReadOnly {
            throw fault("a partition that can be written", "the flag readonly")
        }
    }

    /// The smallest NVS partition that can be written: one page must always be free.
    private static let leastNVS: UInt32 = 0x3000

    /// Reads an entry whose magic has been read.
    init(from reader: inout ByteReader) throws(CodecError) {
        kind = Kind(rawValue: try reader.uint8())
        subtype = try reader.uint8()
        offset = try reader.uint32()
        size = try reader.uint32()
        name = try reader.fixedText(length: Self.nameLimit)
        flags = try reader.uint32()
    }

    /// Appends the entry.
    func write(to writer: inout ByteWriter) {
        writer.append(Self.magic)
        writer.uint8(kind.rawValue)
        writer.uint8(subtype)
        writer.uint32(offset)
        writer.uint32(size)
        let text = name.utf8.prefix(Self.nameLimit)
        writer.append(text)
        writer.append(repeatElement(0, count: Self.nameLimit - text.count))
        writer.uint32(flags)
    }
}

/// The names of types and subtypes in the text of a partition table ("Partition Tables", ESP-IDF programming guide).
enum PartitionNames {
    static let kinds: [String: Partition.Kind] = [
        "app": .app, "data": .data, "bootloader": .bootloader, "partition_table": .partitionTable,
    ]

    /// The subtypes of a kind by name; empty for user-defined kinds.
    static func subtypes(of kind: Partition.Kind) -> [String: UInt8] {
        switch kind {
        case .app: app
        case .data: data
        case .bootloader: ["primary": 0, "ota": 1, "recovery": 2]
        case .partitionTable: ["primary": 0, "ota": 1]
        default: [:]
        }
    }

    /// The name of a kind, or its number.
    static func name(of kind: Partition.Kind) -> String {
        kinds.first { $0.value == kind }?.key ?? "0x" + String(kind.rawValue, radix: 16)
    }

    /// The name of a subtype, or its number.
    static func name(ofSubtype subtype: UInt8, of kind: Partition.Kind) -> String {
        subtypes(of: kind).first { $0.value == subtype }?.key ?? "0x" + String(subtype, radix: 16)
    }

    private static let app: [String: UInt8] = {
        var names: [String: UInt8] = ["factory": 0x00, "test": 0x20, "tee_0": 0x30, "tee_1": 0x31]
        for slot: UInt8 in 0..<16 { names["ota_\(slot)"] = 0x10 + slot }
        return names
    }()

    static let ota: UInt8 = 0x00
    static let nvs: UInt8 = 0x02
    static let coredump: UInt8 = 0x03
    static let teeOTA: UInt8 = 0x90

    private static let data: [String: UInt8] = [
        "ota": ota, "phy": 0x01, "nvs": nvs, "coredump": coredump, "nvs_keys": 0x04, "efuse": 0x05, "undefined": 0x06,
        "esphttpd": 0x80, "fat": 0x81, "spiffs": 0x82, "littlefs": 0x83, "tee_ota": teeOTA,
    ]
}

extension Partition {
    /// The name of its kind, e.g. `app`, or its number.
    public var kindName: String { PartitionNames.name(of: kind) }
    /// The name of its subtype, e.g. `ota_0`, or its number.
    public var subtypeName: String { PartitionNames.name(ofSubtype: subtype, of: kind) }
    /// Its flags by name.
    public var flagNames: [String] {
        (flags & 1 != 0 ? ["encrypted"] : []) + (flags & 2 != 0 ? ["readonly"] : [])
    }
    /// Its length as people write it: in megabytes, kilobytes or bytes, e.g. `1280K`.
    public var sizeText: String { Self.text(size) }

    /// `number` as `4M`, `1280K`, or in hexadecimal.
    static func text(_ number: UInt32) -> String {
        for (unit, shift) in [("M", UInt32(20)), ("K", 10)] where number > 0 && number & ((1 << shift) - 1) == 0 {
            return "\(number >> shift)\(unit)"
        }
        return hexadecimal(number)
    }
}

extension PartitionTable {
    /// The table as text: an ESP-IDF CSV file for the same table.
    public var csv: String {
        "# ESP-IDF Partition Table\n# Name, Type, SubType, Offset, Size, Flags\n"
            + partitions.map { partition in
                [
                    partition.name, partition.kindName, partition.subtypeName, hexadecimal(partition.offset),
                    partition.sizeText, partition.flagNames.joined(separator: ":"),
                ].joined(separator: ",")
            }.joined(separator: "\n") + "\n"
    }
}
