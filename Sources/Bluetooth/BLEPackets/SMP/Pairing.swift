public import ByteCodec

/// The initiator begins a pairing (Core 5.4, Vol 3 Part H 3.5.1).
public struct SMPPairingRequest: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingRequest
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Request"

    /// What the initiator wants and can do.
    public var features: SMPPairingFeatures

    /// The PDU with these fields.
    public init(features: SMPPairingFeatures) {
        self.features = features
    }

    /// Reads the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}

/// The responder goes along with a pairing (Core 5.4, Vol 3 Part H 3.5.2).
public struct SMPPairingResponse: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingResponse
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Response"

    /// What the responder wants and can do; its keys are among those of the request.
    public var features: SMPPairingFeatures

    /// The PDU with these fields.
    public init(features: SMPPairingFeatures) {
        self.features = features
    }

    /// Reads the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}
