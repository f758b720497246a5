public import ByteCodec

/// Reveals the random number of a commitment (Core 5.4, Vol 3 Part H 3.5.4).
public struct SMPPairingRandom: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingRandom
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Random"

    /// The random number.
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
