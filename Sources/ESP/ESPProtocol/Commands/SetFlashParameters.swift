public import ByteCodec

/// SPI_SET_PARAMS: sets the geometry of the flash.
public struct SetFlashParameters: LoaderCommand, Hashable {
    /// 0x0B.
    public static let opcode = LoaderOpcode.setFlashParameters

    /// The size of the flash, in bytes.
    public var totalSize: UInt32

    /// The command for a flash of `totalSize` bytes with 64 KB blocks, 4 KB sectors and 256-byte pages.
    public init(totalSize: UInt32) {
        self.totalSize = totalSize
    }

    /// Parses the parameters; only the size is kept, since loaders accept no other geometry.
    public init(from reader: inout ByteReader) throws(CodecError) {
        _ = try reader.uint32()
        totalSize = try reader.uint32()
        for _ in 0..<4 { _ = try reader.uint32() }
    }

    /// Appends the parameters: id, size, block, sector and page size, status mask.
    public func write(to writer: inout ByteWriter) {
        for word: UInt32 in [0, totalSize, 0x1_0000, 0x1000, 0x100, 0xFFFF] { writer.uint32(word) }
    }
}
