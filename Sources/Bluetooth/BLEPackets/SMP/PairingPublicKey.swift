public import ByteCodec

/// A side's P-256 public key (Core 5.4, Vol 3 Part H 3.5.6).
public struct SMPPairingPublicKey: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingPublicKey
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Public Key"

    /// The X coordinate, 32 bytes, least significant first.
    public var x: ArraySlice<UInt8>
    /// The Y coordinate, 32 bytes, least significant first.
    public var y: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.x = x
        self.y = y
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(x)
        writer.append(y)
    }
}
