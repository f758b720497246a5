public import ByteCodec

/// Commits to a random number that follows (Core 5.4, Vol 3 Part H 3.5.3).
public struct SMPPairingConfirm: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingConfirm
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Confirm"

    /// The confirm value: of c1 in LE legacy pairing, of f4 in LE Secure Connections.
    public var value: UInt128

    /// The PDU with these fields.
    public init(value: UInt128) {
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        value = try reader.uint128()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(value)
    }
}
