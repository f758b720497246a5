public import ByteCodec

/// SPI_FLASH_MD5: the digest of a region of flash.
public struct FlashMD5: LoaderCommand, Hashable {
    /// 0x13.
    public static let opcode = LoaderOpcode.flashMD5

    /// The first address.
    public var address: UInt32
    /// The number of bytes.
    public var size: UInt32

    /// The command for `size` bytes at `address`.
    public init(address: UInt32, size: UInt32) {
        self.address = address
        self.size = size
    }

    /// In proportion to the size read.
    public var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.md5PerMegabyte, byteCount: size)
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        address = try reader.uint32()
        size = try reader.uint32()
        _ = try reader.uint64()  // Two reserved words.
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(address)
        writer.uint32(size)
        writer.uint64(0)
    }

    /// The digest.
    public struct Reply: LoaderReply {
        /// The length of a digest, in bytes.
        public static let digestLength = 16

        /// 16 bytes.
        public var digest: ArraySlice<UInt8>

        /// The reply with `digest`, which must be 16 bytes.
        public init(digest: ArraySlice<UInt8>) {
            self.digest = digest
        }

        /// Reads the reply: 16 bytes from the stub, 32 hexadecimal digits from a ROM.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            let data = reader.remaining == Self.digestLength * 2 ? reader.rest() : nil
            guard let data else {
                digest = try reader.slice(Self.digestLength)
                return
            }
            guard let bytes = Hexadecimal.bytes(String(decoding: data, as: UTF8.self)),
                bytes.count == Self.digestLength
            else {
                throw reader.invalid("MD5 text", UInt64(data.first ?? 0), allowed: "32 hexadecimal digits")
            }
            digest = bytes[...]
        }

        /// Appends the digest.
        public func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            switch dialect {
            case .rom: writer.append(Hexadecimal.string(digest).utf8)
            case .stub: writer.append(digest)
            }
        }
    }
}
