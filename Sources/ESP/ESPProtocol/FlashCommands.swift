import ByteCodec

/// SPI_ATTACH: connects the flash chip to the SPI controller.
package struct AttachFlash: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.attachFlash

    /// Five 6-bit pin numbers; 0 selects those of the eFuses or the package.
    package var pins: UInt32
    /// A ROM expects a second word, the stub does not.
    package var dialect: LoaderDialect

    /// The command for `pins` in the form of `dialect`.
    package init(pins: UInt32 = 0, dialect: LoaderDialect) {
        self.pins = pins
        self.dialect = dialect
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        pins = try reader.uint32()
        dialect = reader.remaining == 0 ? .stub : .rom
        if dialect == .rom { _ = try reader.uint32() }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(pins)
        if dialect == .rom { writer.uint32(0) }
    }
}

/// SPI_SET_PARAMS: sets the geometry of the flash.
package struct SetFlashParameters: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.setFlashParameters

    /// The size of the flash, in bytes.
    package var totalSize: UInt32

    /// The command for a flash of `totalSize` bytes with 64 KB blocks, 4 KB sectors and 256-byte pages.
    package init(totalSize: UInt32) {
        self.totalSize = totalSize
    }

    /// Parses the parameters; only the size is kept, since loaders accept no other geometry.
    package init(from reader: inout ByteReader) throws(CodecError) {
        _ = try reader.uint32()
        totalSize = try reader.uint32()
        for _ in 0..<4 { _ = try reader.uint32() }
    }

    /// Appends the parameters: id, size, block, sector and page size, status mask.
    package func write(to writer: inout ByteWriter) {
        for word: UInt32 in [0, totalSize, 0x1_0000, 0x1000, 0x100, 0xFFFF] { writer.uint32(word) }
    }
}

/// ERASE_FLASH: erases all of the flash; stub only.
package struct EraseFlash: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.eraseFlash

    package init() {}

    /// The time of a whole chip erase.
    package var timeout: Duration { LoaderTimeout.chipErase }

    /// Parses no parameters.
    package init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    package func write(to writer: inout ByteWriter) {}
}

/// ERASE_REGION: erases whole sectors; stub only.
package struct EraseRegion: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.eraseRegion

    /// The first address, a multiple of 4096.
    package var offset: UInt32
    /// The number of bytes, a multiple of 4096.
    package var size: UInt32

    /// The command for `size` bytes at `offset`.
    package init(offset: UInt32, size: UInt32) {
        self.offset = offset
        self.size = size
    }

    /// Proportional to the size to erase.
    package var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: size)
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        size = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(size)
    }
}

/// READ_FLASH: streams a region of flash; stub only.
///
/// The response is followed by raw frames of `packetSize` bytes, each acknowledged by a frame with the number of bytes
/// received so far (32 bits), and by a frame with the MD5 digest of all of them.
package struct ReadFlash: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.readFlash
    /// The longest packet, in bytes.
    package static let maximumPacketSize: UInt32 = 4096

    /// The first address.
    package var offset: UInt32
    /// The number of bytes.
    package var count: UInt32
    /// The size of a packet, at most ``maximumPacketSize``.
    package var packetSize: UInt32
    /// The maximum number of unacknowledged packets.
    package var maximumInFlight: UInt32

    /// All parameters.
    package init(offset: UInt32, count: UInt32, packetSize: UInt32, maximumInFlight: UInt32) {
        self.offset = offset
        self.count = count
        self.packetSize = packetSize
        self.maximumInFlight = maximumInFlight
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        count = try reader.uint32()
        packetSize = try reader.uint32()
        maximumInFlight = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(count)
        writer.uint32(packetSize)
        writer.uint32(maximumInFlight)
    }
}

/// READ_FLASH_SLOW: reads up to 64 bytes of flash; ROM only.
package struct ReadFlashSlow: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.readFlashSlow
    /// The length of every reply, whatever the count, in bytes.
    package static let replyLength = 64

    /// The first address.
    package var offset: UInt32
    /// The number of bytes, 1 to 64.
    package var count: UInt32

    /// The command for `count` bytes at `offset`.
    package init(offset: UInt32, count: UInt32) {
        self.offset = offset
        self.count = count
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        count = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(count)
    }

    /// The bytes.
    package struct Reply: LoaderReply {
        /// 64 bytes; those beyond the requested count are undefined.
        package var bytes: ArraySlice<UInt8>

        /// The reply with `bytes`; truncated or zero-padded to 64.
        package init(_ bytes: ArraySlice<UInt8>) {
            let missing = max(0, ReadFlashSlow.replyLength - bytes.count)
            self.bytes = bytes.prefix(ReadFlashSlow.replyLength) + repeatElement(0, count: missing)
        }

        package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            bytes = try reader.slice(ReadFlashSlow.replyLength)
        }

        /// Appends the bytes.
        package func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            writer.append(bytes)
        }
    }
}

/// SPI_FLASH_MD5: the digest of a region of flash.
package struct FlashMD5: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.flashMD5

    /// The first address.
    package var address: UInt32
    /// The number of bytes.
    package var size: UInt32

    /// The command for `size` bytes at `address`.
    package init(address: UInt32, size: UInt32) {
        self.address = address
        self.size = size
    }

    /// Proportional to the size read.
    package var timeout: Duration {
        LoaderTimeout.scaled(LoaderTimeout.md5PerMegabyte, byteCount: size)
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        address = try reader.uint32()
        size = try reader.uint32()
        _ = try reader.uint64()  // Two reserved words.
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(address)
        writer.uint32(size)
        writer.uint64(0)
    }

    /// The digest.
    package struct Reply: LoaderReply {
        /// The length of a digest, in bytes.
        package static let digestLength = 16

        /// 16 bytes.
        package var digest: ArraySlice<UInt8>

        /// The reply with `digest`, which must be 16 bytes.
        package init(digest: ArraySlice<UInt8>) {
            self.digest = digest
        }

        /// Reads the reply: 16 bytes from the stub, 32 hexadecimal digits from a ROM.
        package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
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
        package func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            switch dialect {
            case .rom: writer.append(Hexadecimal.string(digest).utf8)
            case .stub: writer.append(digest)
            }
        }
    }
}
