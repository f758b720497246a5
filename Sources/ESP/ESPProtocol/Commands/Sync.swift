public import ByteCodec

/// SYNC: the ROM detects the baud rate from its pattern; answered ``responseCount`` times.
public struct Sync: LoaderCommand, Hashable {
    /// 0x08.
    public static let opcode = LoaderOpcode.sync
    /// The number of responses to one SYNC.
    public static let responseCount = 8
    /// The data: `07 07 12 20`, then 32 × `55`.
    public static let pattern: [UInt8] = [0x07, 0x07, 0x12, 0x20] + [UInt8](repeating: 0x55, count: 32)

    /// The command.
    public init() {}

    /// Short, since a flasher repeats SYNC until it is answered.
    public var timeout: Duration { LoaderTimeout.sync }

    /// Parses and validates the pattern.
    public init(from reader: inout ByteReader) throws(CodecError) {
        for expected in Self.pattern {
            let byte = try reader.uint8()
            guard byte == expected else {
                throw reader.invalid("SYNC pattern byte", UInt64(byte), allowed: "\(expected)")
            }
        }
    }

    /// Appends the pattern.
    public func write(to writer: inout ByteWriter) {
        writer.append(Self.pattern)
    }

    /// The header's word, which differs between ROM and stub.
    public struct Reply: LoaderReply {
        /// The value of a ROM; any number but 0 is possible.
        public static let rom = Reply(value: 0x2012_0707)
        /// The value of the stub.
        public static let stub = Reply(value: 0)

        /// The header's word: 0 from the stub.
        public var value: UInt32

        /// Whether the ROM or the stub answered.
        public var dialect: LoaderDialect { value == 0 ? .stub : .rom }

        private init(value: UInt32) {
            self.value = value
        }

        /// Parses the reply.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            self.value = value
        }
    }
}
