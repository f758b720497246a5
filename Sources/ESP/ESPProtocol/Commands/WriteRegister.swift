public import ByteCodec

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
