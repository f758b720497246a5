public import ByteCodec

/// SYNC: by its pattern the ROM finds the rate; answered ``responseCount`` times.
public struct Sync: LoaderCommand, Hashable {
    /// 0x08.
    public static let opcode = LoaderOpcode.sync
    /// How often one SYNC is answered.
    public static let responseCount = 8
    /// The data: `07 07 12 20`, then 32 × `55`.
    public static let pattern: [UInt8] = [0x07, 0x07, 0x12, 0x20] + [UInt8](repeating: 0x55, count: 32)

    /// The command.
    public init() {}

    /// Short: many are sent until one is answered.
    public var timeout: Duration { LoaderTimeout.sync }

    /// Reads the pattern, which must be the right one.
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

    /// The word by which one sees who answered.
    public struct Reply: LoaderReply {
        /// What a ROM answers; any number but 0 would do.
        public static let rom = Reply(value: 0x2012_0707)
        /// What the stub answers.
        public static let stub = Reply(value: 0)

        /// The header's word: 0 from the stub.
        public var value: UInt32

        /// Who answered.
        public var dialect: LoaderDialect { value == 0 ? .stub : .rom }

        private init(value: UInt32) {
            self.value = value
        }

        /// Reads the reply.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            self.value = value
        }
    }
}
