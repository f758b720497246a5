public import ByteCodec

/// Encrypts a connection, or refreshes its key; central only (Core 5.4, Vol 4 Part E 7.8.24).
public struct HCILEEnableEncryption: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leEnableEncryption
    /// The name in errors.
    public static let name: StaticString = "HCI LE Enable Encryption"

    /// The connection.
    public var handle: UInt16
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    public var randomNumber: UInt64
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    public var encryptedDiversifier: UInt16
    /// 16 bytes, least significant first.
    public var longTermKey: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(handle: UInt16, randomNumber: UInt64, encryptedDiversifier: UInt16, longTermKey: ArraySlice<UInt8>) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKey = longTermKey
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
        longTermKey = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint64(randomNumber)
        writer.uint16(encryptedDiversifier)
        writer.hciFixed(longTermKey, 16)
    }
}
