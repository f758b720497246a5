public import ByteCodec

/// FLASH_DEFL_DATA: one block of a compressed (zlib) write, not padded.
public struct DeflateData: LoaderCommand, Hashable {
    /// 0x11.
    public static let opcode = LoaderOpcode.deflateData

    /// The block.
    public var block: DataBlock

    /// The number of bytes this block inflates to, for the time-out; not transmitted.
    public var inflatedCount: UInt32

    /// The command for `block`, which inflates to `inflatedCount` bytes.
    public init(_ block: DataBlock, inflatedCount: UInt32) {
        self.block = block
        self.inflatedCount = inflatedCount
    }

    /// In proportion to the size written.
    public var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: inflatedCount)
    }

    /// The checksum of the payload.
    public var checksum: UInt32 { LoaderChecksum.of(block.payload) }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        block = try DataBlock(from: &reader)
        inflatedCount = 0
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        block.write(to: &writer)
    }
}
