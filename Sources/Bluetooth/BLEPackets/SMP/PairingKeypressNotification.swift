public import ByteCodec

/// Reports the user's progress in entering a passkey (Core 5.4, Vol 3 Part H 3.5.8).
public struct SMPPairingKeypressNotification: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingKeypressNotification
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Keypress Notification"

    /// 0 entry started, 1 digit entered, 2 digit erased, 3 cleared, 4 entry completed.
    public var kind: UInt8

    /// The PDU with these fields.
    public init(kind: UInt8) {
        self.kind = kind
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        kind = try reader.uint8()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(kind)
    }
}
