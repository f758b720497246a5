public import ByteCodec

/// FLASH_DATA: one block of an uncompressed write, padded with FF to the announced size.
public struct FlashData: LoaderCommand, Hashable {
    /// 0x03.
    public static let opcode = LoaderOpcode.flashData

    /// The block.
    public var block: DataBlock

    /// The command for `block`.
    public init(_ block: DataBlock) {
        self.block = block
    }

    /// The checksum of the payload.
    public var checksum: UInt32 { LoaderChecksum.of(block.payload) }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        block = try DataBlock(from: &reader)
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        block.write(to: &writer)
    }
}
