public import ByteCodec

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
