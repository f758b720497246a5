public import ByteCodec

/// The peripheral requests that the central encrypts or pairs (Core 5.4, Vol 3 Part H 3.6.7).
public struct SMPSecurityRequest: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.securityRequest
    /// The name in errors.
    public static let name: StaticString = "SMP Security Request"

    /// The peripheral's AuthReq field.
    public var requirements: SMPAuthenticationRequirements

    /// The PDU with these fields.
    public init(requirements: SMPAuthenticationRequirements) {
        self.requirements = requirements
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        requirements = SMPAuthenticationRequirements(rawValue: try reader.uint8())
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(requirements.rawValue)
    }
}
