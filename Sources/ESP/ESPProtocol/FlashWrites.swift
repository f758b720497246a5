import ByteCodec

/// The parameters of FLASH_DATA, FLASH_DEFL_DATA and MEM_DATA: a numbered block of payload.
package struct DataBlock: Hashable, Sendable {
    /// The number of bytes before the payload.
    package static let headerLength = 16

    /// The number of the block, from 0.
    package var sequence: UInt32
    /// The bytes.
    package var payload: ArraySlice<UInt8>

    /// Block number `sequence`.
    package init(sequence: UInt32, payload: ArraySlice<UInt8>) {
        self.sequence = sequence
        self.payload = payload
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        let length = try reader.uint32()
        sequence = try reader.uint32()
        _ = try reader.uint64()  // Two reserved words.
        guard let length = Int(exactly: length), length == reader.remaining else {
            throw reader.invalid("payload length", UInt64(length), allowed: "\(reader.remaining)")
        }
        payload = try reader.slice(length)
    }

    func write(to writer: inout ByteWriter) {
        writer.uint32(UInt32(clamping: payload.count))
        writer.uint32(sequence)
        writer.uint64(0)
        writer.append(payload)
    }
}

/// FLASH_BEGIN: erases a region of flash, and begins an uncompressed write to it.
package struct FlashBegin: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.flashBegin

    /// The region to be erased and written.
    package var region: FlashWriteRegion

    /// The command for `region`.
    package init(_ region: FlashWriteRegion) {
        self.region = region
    }

    /// Proportional to the size to erase.
    package var timeout: Duration { region.eraseTimeout }

    package init(from reader: inout ByteReader) throws(CodecError) {
        region = try FlashWriteRegion(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        region.write(to: &writer)
    }
}

/// The parameters of FLASH_BEGIN and FLASH_DEFL_BEGIN.
package struct FlashWriteRegion: Hashable, Sendable {
    /// The number of bytes to erase. For a compressed write a ROM expects whole blocks, the stub the exact number.
    package var eraseSize: UInt32
    /// The number of data commands that follow.
    package var blockCount: UInt32
    /// The size of a block before padding or, in a compressed write, of its compressed data, in bytes.
    package var blockSize: UInt32
    /// The first address; a ROM requires a multiple of the sector size, 4096.
    package var offset: UInt32
    /// True if the chip encrypts the data; `nil` omits the word, as the ROM of the ESP32 requires.
    package var isEncrypted: Bool?

    /// All parameters.
    package init(eraseSize: UInt32, blockCount: UInt32, blockSize: UInt32, offset: UInt32, isEncrypted: Bool? = nil) {
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

/// FLASH_DATA: one block of an uncompressed write, padded with FF to the announced size.
package struct FlashData: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.flashData

    /// The block.
    package var block: DataBlock

    /// The command for `block`.
    package init(_ block: DataBlock) {
        self.block = block
    }

    /// The checksum of the payload.
    package var checksum: UInt32 { LoaderChecksum.of(block.payload) }

    package init(from reader: inout ByteReader) throws(CodecError) {
        block = try DataBlock(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        block.write(to: &writer)
    }
}

/// FLASH_END: ends an uncompressed write.
///
/// A stub acknowledges the command and keeps running. A ROM leaves its loader, even if it refuses the command: it
/// restarts the chip, or runs the program in flash; the ESP32-C3's ROM then panics, and answers only after a reset. Do
/// not send it to a ROM whose loader is still needed.
package struct FlashEnd: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.flashEnd

    /// True: a ROM restarts the chip, which keeps the sampled levels of its boot pins. False: the ROM runs the program
    /// in flash.
    package var reboots: Bool

    package init(reboots: Bool) {
        self.reboots = reboots
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        reboots = try reader.uint32() == 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(reboots ? 0 : 1)
    }
}

/// FLASH_DEFL_BEGIN: erases a region of flash, and begins a compressed write to it.
package struct DeflateBegin: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.deflateBegin

    /// The region to erase and write.
    package var region: FlashWriteRegion

    /// The command for `region`.
    package init(_ region: FlashWriteRegion) {
        self.region = region
    }

    /// Proportional to the size to erase.
    package var timeout: Duration { region.eraseTimeout }

    package init(from reader: inout ByteReader) throws(CodecError) {
        region = try FlashWriteRegion(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        region.write(to: &writer)
    }
}

/// FLASH_DEFL_DATA: one block of a compressed (zlib) write, not padded.
package struct DeflateData: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.deflateData

    /// The block.
    package var block: DataBlock

    /// The number of bytes this block inflates to, for the time-out; not transmitted.
    package var inflatedCount: UInt32

    /// The command for `block`, which inflates to `inflatedCount` bytes.
    package init(_ block: DataBlock, inflatedCount: UInt32) {
        self.block = block
        self.inflatedCount = inflatedCount
    }

    /// Proportional to the size written.
    package var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: inflatedCount)
    }

    /// The checksum of the payload.
    package var checksum: UInt32 { LoaderChecksum.of(block.payload) }

    package init(from reader: inout ByteReader) throws(CodecError) {
        block = try DataBlock(from: &reader)
        inflatedCount = 0
    }

    package func write(to writer: inout ByteWriter) {
        block.write(to: &writer)
    }
}

/// FLASH_DEFL_END: ends a compressed write.
///
/// A stub acknowledges the command and keeps running. A ROM that has received the announced number of blocks may
/// restart the chip. A ROM that refuses the command stays in its loader, unlike with ``FlashEnd``.
package struct DeflateEnd: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.deflateEnd

    /// True: a ROM restarts the chip, which keeps the sampled levels of its boot pins. False: the loader keeps running.
    package var reboots: Bool

    package init(reboots: Bool) {
        self.reboots = reboots
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        reboots = try reader.uint32() == 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(reboots ? 0 : 1)
    }
}
