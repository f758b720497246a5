import ByteCodec

/// MEM_BEGIN: begins a write to RAM.
package struct MemoryBegin: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.memoryBegin

    /// The number of bytes to write.
    package var size: UInt32
    /// The number of MEM_DATA commands that follow.
    package var blockCount: UInt32
    /// The size of a block, in bytes.
    package var blockSize: UInt32
    /// The first address.
    package var address: UInt32

    /// All parameters.
    package init(size: UInt32, blockCount: UInt32, blockSize: UInt32, address: UInt32) {
        self.size = size
        self.blockCount = blockCount
        self.blockSize = blockSize
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        size = try reader.uint32()
        blockCount = try reader.uint32()
        blockSize = try reader.uint32()
        address = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(size)
        writer.uint32(blockCount)
        writer.uint32(blockSize)
        writer.uint32(address)
    }
}

/// MEM_DATA: one block of a write to RAM.
package struct MemoryData: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.memoryData

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

/// MEM_END: ends a write to RAM, and runs the code at the entry point, if there is one.
///
/// A stub sends ``stubGreeting`` as a separate frame when it starts.
package struct MemoryEnd: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.memoryEnd
    /// `OHAI`.
    package static let stubGreeting: [UInt8] = Array("OHAI".utf8)

    /// The address to jump to; `nil` stays in the loader.
    package var entryPoint: UInt32?

    /// The command; `entryPoint` must not be 0.
    package init(entryPoint: UInt32?) {
        self.entryPoint = entryPoint
    }

    /// Reads the parameters: a flag "stay", and the address.
    package init(from reader: inout ByteReader) throws(CodecError) {
        let stays = try reader.uint32() != 0
        let address = try reader.uint32()
        entryPoint = stays ? nil : address
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(entryPoint == nil ? 1 : 0)
        writer.uint32(entryPoint ?? 0)
    }
}

/// RUN_USER_CODE: leaves the loader for the application; stub only, and never answered.
package struct RunUserCode: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.runUserCode

    package init() {}

    /// Parses no parameters.
    package init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    package func write(to writer: inout ByteWriter) {}
}

/// READ_REG: reads a word of the address space.
package struct ReadRegister: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.readRegister

    /// The address, a multiple of 4.
    package var address: UInt32

    /// The command for `address`.
    package init(address: UInt32) {
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        address = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(address)
    }

    /// The word.
    package struct Reply: LoaderReply {
        /// The word at the address.
        package var value: UInt32

        /// The reply.
        package init(value: UInt32) {
            self.value = value
        }

        package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            self.value = value
        }
    }
}

/// WRITE_REG: writes words of the address space; one command may carry several.
package struct WriteRegister: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.writeRegister

    /// One word.
    package struct Write: Hashable, Sendable {
        /// The address, a multiple of 4.
        package var address: UInt32
        /// The bits to write.
        package var value: UInt32
        /// The mask of the bits to change.
        package var mask: UInt32
        /// The delay before the write, in microseconds.
        package var delayMicroseconds: UInt32

        /// One write.
        package init(address: UInt32, value: UInt32, mask: UInt32 = .max, delayMicroseconds: UInt32 = 0) {
            self.address = address
            self.value = value
            self.mask = mask
            self.delayMicroseconds = delayMicroseconds
        }
    }

    /// The writes, in order; at least one.
    package var writes: [Write]

    /// The command for `writes`; at least one.
    package init(_ writes: [Write]) {
        self.writes = writes
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        writes = []
        repeat {
            writes.append(
                Write(
                    address: try reader.uint32(), value: try reader.uint32(), mask: try reader.uint32(),
                    delayMicroseconds: try reader.uint32()))
        } while reader.remaining > 0
    }

    package func write(to writer: inout ByteWriter) {
        for write in writes {
            writer.uint32(write.address)
            writer.uint32(write.value)
            writer.uint32(write.mask)
            writer.uint32(write.delayMicroseconds)
        }
    }
}
