public import ByteCodec

/// The initiator begins a pairing (Core 5.4, Vol 3 Part H 3.5.1).
public struct SMPPairingRequest: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingRequest
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Request"

    /// The initiator's features.
    public var features: SMPPairingFeatures

    /// The PDU with these fields.
    public init(features: SMPPairingFeatures) {
        self.features = features
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}

/// The responder accepts a pairing (Core 5.4, Vol 3 Part H 3.5.2).
public struct SMPPairingResponse: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingResponse
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing Response"

    /// The responder's features; its keys are a subset of those in the request.
    public var features: SMPPairingFeatures

    /// The PDU with these fields.
    public init(features: SMPPairingFeatures) {
        self.features = features
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}
