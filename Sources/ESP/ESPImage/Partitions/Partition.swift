import ByteCodec

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

    /// Whether it holds an application image that a bootloader may choose.
    public var isApp: Bool { kind == .app }

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
