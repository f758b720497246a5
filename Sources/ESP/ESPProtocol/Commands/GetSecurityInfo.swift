public import ByteCodec

/// GET_SECURITY_INFO: the chip and its security settings. The ESP32's ROM refuses it as an invalid message.
public struct GetSecurityInfo: LoaderCommand, Hashable {
    /// 0x14.
    public static let opcode = LoaderOpcode.securityInfo
    /// The ROM of the ESP32 lacks it.
    public static let isOptional = true

    /// The command.
    public init() {}

    /// Parses no parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    public func write(to writer: inout ByteWriter) {}

    /// The answer: 20 bytes, from the ESP32-S2 12.
    public struct Reply: LoaderReply {
        /// The secure boot and debug flags of the eFuses.
        public var flags: UInt32
        /// The eFuse counter; an odd number of bits set means that flash encryption is on.
        public var flashEncryptionCount: UInt8
        /// The purposes of the 7 key blocks.
        public var keyPurposes: [UInt8]
        /// The chip, and the version of the ROM's interface; `nil` from the ESP32-S2.
        public var chip: (id: UInt32, apiVersion: UInt32)? {
            guard let chipID, let apiVersion else { return nil }
            return (chipID, apiVersion)
        }
        private var chipID: UInt32?
        private var apiVersion: UInt32?

        /// Number of key blocks.
        private static let keyCount = 7

        /// The answer of an unlocked chip.
        public init(chipID: UInt32?, apiVersion: UInt32 = 0) {
            flags = 0
            flashEncryptionCount = 0
            keyPurposes = Array(repeating: 0, count: Self.keyCount)
            self.chipID = chipID
            self.apiVersion = chipID == nil ? nil : apiVersion
        }

        /// Parses the answer.
        public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            flags = try reader.uint32()
            flashEncryptionCount = try reader.uint8()
            keyPurposes = Array(try reader.slice(Self.keyCount))
            guard reader.remaining > 0 else { return }
            chipID = try reader.uint32()
            apiVersion = try reader.uint32()
        }

        /// Appends the answer.
        public func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            writer.uint32(flags)
            writer.uint8(flashEncryptionCount)
            writer.append(keyPurposes)
            if let chip {
                writer.uint32(chip.id)
                writer.uint32(chip.apiVersion)
            }
        }
    }
}
