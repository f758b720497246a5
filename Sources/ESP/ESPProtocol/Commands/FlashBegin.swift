public import ByteCodec

/// FLASH_BEGIN: erases a region of flash, and begins an uncompressed write to it.
public struct FlashBegin: LoaderCommand, Hashable {
    /// 0x02.
    public static let opcode = LoaderOpcode.flashBegin

    /// What is to be erased and written.
    public var region: FlashWriteRegion

    /// The command for `region`.
    public init(_ region: FlashWriteRegion) {
        self.region = region
    }

    /// In proportion to the size to erase.
    public var timeout: Duration { region.eraseTimeout }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        region = try FlashWriteRegion(from: &reader)
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        region.write(to: &writer)
    }
}

/// The parameters of FLASH_BEGIN and FLASH_DEFL_BEGIN.
public struct FlashWriteRegion: Hashable, Sendable {
    /// The number of bytes to erase. For a compressed write a ROM expects whole blocks, the stub the exact number.
    public var eraseSize: UInt32
    /// The number of data commands that follow.
    public var blockCount: UInt32
    /// The size of a block before padding or, in a compressed write, of its compressed data, in bytes.
    public var blockSize: UInt32
    /// The first address; a ROM requires a multiple of the sector size, 4096.
    public var offset: UInt32
    /// Whether the chip encrypts the data; `nil` omits the word, as the ROM of the ESP32 requires.
    public var isEncrypted: Bool?

    /// All parameters.
    public init(eraseSize: UInt32, blockCount: UInt32, blockSize: UInt32, offset: UInt32, isEncrypted: Bool? = nil) {
        self.eraseSize = eraseSize
        self.blockCount = blockCount
        self.blockSize = blockSize
        self.offset = offset
        self.isEncrypted = isEncrypted
    }

    var eraseTimeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: eraseSize)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        eraseSize = try reader.uint32()
        blockCount = try reader.uint32()
        blockSize = try reader.uint32()
        offset = try reader.uint32()
        isEncrypted = reader.remaining == 0 ? nil : try reader.uint32() != 0
    }

    func write(to writer: inout ByteWriter) {
        writer.uint32(eraseSize)
        writer.uint32(blockCount)
        writer.uint32(blockSize)
        writer.uint32(offset)
        if let isEncrypted { writer.uint32(isEncrypted ? 1 : 0) }
    }
}
