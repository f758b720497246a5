public import ByteCodec

/// MEM_BEGIN: begins a write to RAM.
public struct MemoryBegin: LoaderCommand, Hashable {
    /// 0x05.
    public static let opcode = LoaderOpcode.memoryBegin

    /// The number of bytes to write.
    public var size: UInt32
    /// The number of MEM_DATA commands that follow.
    public var blockCount: UInt32
    /// The size of a block, in bytes.
    public var blockSize: UInt32
    /// The first address.
    public var address: UInt32

    /// All parameters.
    public init(size: UInt32, blockCount: UInt32, blockSize: UInt32, address: UInt32) {
        self.size = size
        self.blockCount = blockCount
        self.blockSize = blockSize
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        size = try reader.uint32()
        blockCount = try reader.uint32()
        blockSize = try reader.uint32()
        address = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(size)
        writer.uint32(blockCount)
        writer.uint32(blockSize)
        writer.uint32(address)
    }
}
