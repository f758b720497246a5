public import ByteCodec

/// Reports the failure of a pairing (Core 5.4, Vol 3 Part H 3.5.5).
public struct SMPPairingFailed: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingFailed
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Failed"

    /// Why.
    public var reason: SMPFailureReason

    /// The PDU with these fields.
    public init(reason: SMPFailureReason) {
        self.reason = reason
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        reason = SMPFailureReason(rawValue: try reader.uint8())
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(reason.rawValue)
    }
}
