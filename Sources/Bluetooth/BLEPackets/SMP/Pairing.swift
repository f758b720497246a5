public import BLECore
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

/// The pairing features of one side: the common fields of Pairing Request and Pairing Response (Core 5.4, Vol 3 Part H
/// 3.5.1 and 3.5.2).
public struct SMPPairingFeatures: Hashable, Sendable {
    /// The IO capability.
    public var ioCapability: IOCapability
    /// 1: the device has the peer's out-of-band data; 0: it has none; other values are reserved.
    public var outOfBandFlag: UInt8
    /// The AuthReq field.
    public var requirements: SMPAuthenticationRequirements
    /// The longest encryption key the side can do, in bytes; 7...16.
    public var maximumKeySize: UInt8
    /// The keys that the initiator distributes.
    public var initiatorKeys: SMPKeyDistribution
    /// The keys that the responder distributes.
    public var responderKeys: SMPKeyDistribution

    /// Features with these fields.
    public init(
        ioCapability: IOCapability, outOfBandFlag: UInt8, requirements: SMPAuthenticationRequirements,
        maximumKeySize: UInt8, initiatorKeys: SMPKeyDistribution, responderKeys: SMPKeyDistribution
    ) {
        self.ioCapability = ioCapability
        self.outOfBandFlag = outOfBandFlag
        self.requirements = requirements
        self.maximumKeySize = maximumKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }

    /// Reads the six octets.
    public init(from reader: inout ByteReader) throws(CodecError) {
        ioCapability = IOCapability(rawValue: try reader.uint8())
        outOfBandFlag = try reader.uint8()
        requirements = SMPAuthenticationRequirements(rawValue: try reader.uint8())
        maximumKeySize = try reader.uint8()
        initiatorKeys = SMPKeyDistribution(rawValue: try reader.uint8())
        responderKeys = SMPKeyDistribution(rawValue: try reader.uint8())
    }

    /// Writes the six octets.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(ioCapability.rawValue)
        writer.uint8(outOfBandFlag)
        writer.uint8(requirements.rawValue)
        writer.uint8(maximumKeySize)
        writer.uint8(initiatorKeys.rawValue)
        writer.uint8(responderKeys.rawValue)
    }
}

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

/// Verifies that both sides have the same key and exchange (Core 5.4, Vol 3 Part H 3.5.7).
public struct SMPPairingDHKeyCheck: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.pairingDHKeyCheck
    /// The name in errors.
    public static let name: StaticString = "SMP Pairing DHKey Check"

    /// The check value, of f6.
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
