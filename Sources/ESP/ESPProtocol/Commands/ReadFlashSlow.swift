public import ByteCodec

/// READ_FLASH_SLOW: reads up to 64 bytes of flash; ROM only.
public struct ReadFlashSlow: LoaderCommand, Hashable {
    /// 0x0E.
    public static let opcode = LoaderOpcode.readFlashSlow
    /// The length of every reply, whatever the count, in bytes.
    public static let replyLength = 64

    /// The first address.
    public var offset: UInt32
    /// The number of bytes, 1 to 64.
    public var count: UInt32

    /// The command for `count` bytes at `offset`.
    public init(offset: UInt32, count: UInt32) {
        self.offset = offset
        self.count = count
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        count = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(count)
    }

    /// The bytes.
    public struct Reply: LoaderReply {
        /// 64 bytes; those beyond the requested count are undefined.
        public var bytes: ArraySlice<UInt8>

        /// The reply with `bytes`; truncated or zero-padded to 64.
        public init(_ bytes: ArraySlice<UInt8>) {
            let missing = max(0, ReadFlashSlow.replyLength - bytes.count)
            self.bytes = bytes.prefix(ReadFlashSlow.replyLength) + repeatElement(0, count: missing)
        }

        /// Parses the reply.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            bytes = try reader.slice(ReadFlashSlow.replyLength)
        }

        /// Appends the bytes.
        public func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            writer.append(bytes)
        }
    }
}
