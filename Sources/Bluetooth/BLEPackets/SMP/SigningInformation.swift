public import ByteCodec

/// Distributes the CSRK (Core 5.4, Vol 3 Part H 3.6.6).
public struct SMPSigningInformation: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.signingInformation
    /// The name in errors.
    public static let name: StaticString = "SMP Signing Information"

    /// The CSRK.
    public var signatureKey: UInt128

    /// The PDU with these fields.
    public init(signatureKey: UInt128) {
        self.signatureKey = signatureKey
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        signatureKey = try reader.uint128()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(signatureKey)
    }
}
