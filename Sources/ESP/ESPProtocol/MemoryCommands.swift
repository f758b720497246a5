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

/// MEM_DATA: one block of a write to RAM.
public struct MemoryData: LoaderCommand, Hashable {
    /// 0x07.
    public static let opcode = LoaderOpcode.memoryData

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

/// MEM_END: ends a write to RAM, and runs the code at the entry point, if there is one.
///
/// A stub sends ``stubGreeting`` as a separate frame when it starts.
public struct MemoryEnd: LoaderCommand, Hashable {
    /// 0x06.
    public static let opcode = LoaderOpcode.memoryEnd
    /// `OHAI`.
    public static let stubGreeting: [UInt8] = Array("OHAI".utf8)

    /// The address to jump to; `nil` stays in the loader.
    public var entryPoint: UInt32?

    /// The command; `entryPoint` must not be 0.
    public init(entryPoint: UInt32?) {
        self.entryPoint = entryPoint
    }

    /// Reads the parameters: a flag "stay", and the address.
    public init(from reader: inout ByteReader) throws(CodecError) {
        let stays = try reader.uint32() != 0
        let address = try reader.uint32()
        entryPoint = stays ? nil : address
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(entryPoint == nil ? 1 : 0)
        writer.uint32(entryPoint ?? 0)
    }
}

/// RUN_USER_CODE: leaves the loader for the application; stub only, and never answered.
public struct RunUserCode: LoaderCommand, Hashable {
    /// 0xD3.
    public static let opcode = LoaderOpcode.runUserCode

    /// The command.
    public init() {}

    /// Parses no parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    public func write(to writer: inout ByteWriter) {}
}

/// READ_REG: reads a word of the address space.
public struct ReadRegister: LoaderCommand, Hashable {
    /// 0x0A.
    public static let opcode = LoaderOpcode.readRegister

    /// The address, a multiple of 4.
    public var address: UInt32

    /// The command for `address`.
    public init(address: UInt32) {
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        address = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(address)
    }

    /// The word.
    public struct Reply: LoaderReply {
        /// The word at the address.
        public var value: UInt32

        /// The reply.
        public init(value: UInt32) {
            self.value = value
        }

        /// Parses the reply.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            self.value = value
        }
    }
}

/// WRITE_REG: writes words of the address space; one command may carry several.
public struct WriteRegister: LoaderCommand, Hashable {
    /// 0x09.
    public static let opcode = LoaderOpcode.writeRegister

    /// One word.
    public struct Write: Hashable, Sendable {
        /// The address, a multiple of 4.
        public var address: UInt32
        /// The bits to write.
        public var value: UInt32
        /// The mask of the bits to change.
        public var mask: UInt32
        /// The delay before the write, in microseconds.
        public var delayMicroseconds: UInt32

        /// One write.
        public init(address: UInt32, value: UInt32, mask: UInt32 = .max, delayMicroseconds: UInt32 = 0) {
            self.address = address
            self.value = value
            self.mask = mask
            self.delayMicroseconds = delayMicroseconds
        }
    }

    /// The writes, in order; at least one.
    public var writes: [Write]

    /// The command for `writes`, of which there must be one or more.
    public init(_ writes: [Write]) {
        self.writes = writes
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        writes = []
        repeat {
            writes.append(
                Write(
                    address: try reader.uint32(), value: try reader.uint32(), mask: try reader.uint32(),
                    delayMicroseconds: try reader.uint32()))
        } while reader.remaining > 0
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        for write in writes {
            writer.uint32(write.address)
            writer.uint32(write.value)
            writer.uint32(write.mask)
            writer.uint32(write.delayMicroseconds)
        }
    }
}
