public import ByteCodec

/// ERASE_REGION: erases whole sectors; stub only.
public struct EraseRegion: LoaderCommand, Hashable {
    /// 0xD1.
    public static let opcode = LoaderOpcode.eraseRegion

    /// The first address, a multiple of 4096.
    public var offset: UInt32
    /// The number of bytes, a multiple of 4096.
    public var size: UInt32

    /// The command for `size` bytes at `offset`.
    public init(offset: UInt32, size: UInt32) {
        self.offset = offset
        self.size = size
    }

    /// In proportion to the size to erase.
    public var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: size)
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        size = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(size)
    }
}
