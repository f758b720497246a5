public import ByteCodec

/// Encrypts one block with AES-128 (Core 5.4, Vol 4 Part E 7.8.22).
public struct HCILEEncrypt: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leEncrypt
    /// The name in errors.
    public static let name: StaticString = "HCI LE Encrypt"

    /// 16 bytes, least significant first.
    public var key: ArraySlice<UInt8>
    /// 16 bytes, least significant first.
    public var plaintext: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(key: ArraySlice<UInt8>, plaintext: ArraySlice<UInt8>) {
        self.key = key
        self.plaintext = plaintext
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        key = try reader.slice(16)
        plaintext = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.hciFixed(key, 16)
        writer.hciFixed(plaintext, 16)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// 16 bytes, least significant first.
        public var encryptedData: ArraySlice<UInt8>

        /// An answer with these values.
        public init(status: HCIErrorCode, encryptedData: ArraySlice<UInt8>) {
            self.status = status
            self.encryptedData = encryptedData
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            encryptedData = try reader.slice(16)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.hciFixed(encryptedData, 16)
        }
    }
}
