import BLECore
import ByteCodec

/// The initiator begins a pairing (Core 5.4, Vol 3 Part H 3.5.1).
package struct SMPPairingRequest: SMPPDU {
    package static let opcode = SMPOpcode.pairingRequest
    package static let name: StaticString = "SMP Pairing Request"

    /// The initiator's features.
    package var features: SMPPairingFeatures

    package init(features: SMPPairingFeatures) {
        self.features = features
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}

/// The responder accepts a pairing (Core 5.4, Vol 3 Part H 3.5.2).
package struct SMPPairingResponse: SMPPDU {
    package static let opcode = SMPOpcode.pairingResponse
    package static let name: StaticString = "SMP Pairing Response"

    /// The responder's features; its keys are a subset of those in the request.
    package var features: SMPPairingFeatures

    package init(features: SMPPairingFeatures) {
        self.features = features
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        features = try SMPPairingFeatures(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        features.write(to: &writer)
    }
}

/// The pairing features of one side: the common fields of Pairing Request and Pairing Response (Core 5.4, Vol 3 Part H
/// 3.5.1 and 3.5.2).
package struct SMPPairingFeatures: Hashable, Sendable {
    /// The IO capability.
    package var ioCapability: IOCapability
    /// 1: the device has the peer's out-of-band data; 0: it has no such data; other values are reserved.
    package var outOfBandFlag: UInt8
    /// The AuthReq field.
    package var requirements: SMPAuthenticationRequirements
    /// The longest encryption key that the device supports, in bytes; 7...16.
    package var maximumKeySize: UInt8
    /// The keys that the initiator distributes.
    package var initiatorKeys: SMPKeyDistribution
    /// The keys that the responder distributes.
    package var responderKeys: SMPKeyDistribution

    /// Features with these fields.
    package init(
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
    package init(from reader: inout ByteReader) throws(CodecError) {
        ioCapability = IOCapability(rawValue: try reader.uint8())
        outOfBandFlag = try reader.uint8()
        requirements = SMPAuthenticationRequirements(rawValue: try reader.uint8())
        maximumKeySize = try reader.uint8()
        initiatorKeys = SMPKeyDistribution(rawValue: try reader.uint8())
        responderKeys = SMPKeyDistribution(rawValue: try reader.uint8())
    }

    /// Writes the six octets.
    package func write(to writer: inout ByteWriter) {
        writer.uint8(ioCapability.rawValue)
        writer.uint8(outOfBandFlag)
        writer.uint8(requirements.rawValue)
        writer.uint8(maximumKeySize)
        writer.uint8(initiatorKeys.rawValue)
        writer.uint8(responderKeys.rawValue)
    }
}

/// Commits to a random number that is sent later (Core 5.4, Vol 3 Part H 3.5.3).
package struct SMPPairingConfirm: SMPPDU {
    package static let opcode = SMPOpcode.pairingConfirm
    package static let name: StaticString = "SMP Pairing Confirm"

    /// The confirm value: the result of c1 in LE legacy pairing, of f4 in LE Secure Connections.
    package var value: UInt128

    package init(value: UInt128) {
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        value = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(value)
    }
}

/// Reveals the random number behind a Pairing Confirm (Core 5.4, Vol 3 Part H 3.5.4).
package struct SMPPairingRandom: SMPPDU {
    package static let opcode = SMPOpcode.pairingRandom
    package static let name: StaticString = "SMP Pairing Random"

    /// The random number.
    package var value: UInt128

    package init(value: UInt128) {
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        value = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(value)
    }
}

/// A side's P-256 public key (Core 5.4, Vol 3 Part H 3.5.6).
package struct SMPPairingPublicKey: SMPPDU {
    package static let opcode = SMPOpcode.pairingPublicKey
    package static let name: StaticString = "SMP Pairing Public Key"

    /// The X coordinate, 32 bytes, least significant first.
    package var x: ArraySlice<UInt8>
    /// The Y coordinate, 32 bytes, least significant first.
    package var y: ArraySlice<UInt8>

    package init(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.x = x
        self.y = y
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(x)
        writer.append(y)
    }
}

/// Verifies that both sides have the same key and exchange (Core 5.4, Vol 3 Part H 3.5.7).
package struct SMPPairingDHKeyCheck: SMPPDU {
    package static let opcode = SMPOpcode.pairingDHKeyCheck
    package static let name: StaticString = "SMP Pairing DHKey Check"

    /// The check value: the result of f6.
    package var value: UInt128

    package init(value: UInt128) {
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        value = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(value)
    }
}

/// Reports the user's progress in entering a passkey (Core 5.4, Vol 3 Part H 3.5.8).
package struct SMPPairingKeypressNotification: SMPPDU {
    package static let opcode = SMPOpcode.pairingKeypressNotification
    package static let name: StaticString = "SMP Pairing Keypress Notification"

    /// 0 entry started, 1 digit entered, 2 digit erased, 3 cleared, 4 entry completed.
    package var kind: UInt8

    package init(kind: UInt8) {
        self.kind = kind
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        kind = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(kind)
    }
}

/// Reports the failure of a pairing (Core 5.4, Vol 3 Part H 3.5.5).
package struct SMPPairingFailed: SMPPDU {
    package static let opcode = SMPOpcode.pairingFailed
    package static let name: StaticString = "SMP Pairing Failed"

    /// The reason.
    package var reason: SMPFailureReason

    package init(reason: SMPFailureReason) {
        self.reason = reason
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        reason = SMPFailureReason(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(reason.rawValue)
    }
}

/// The peripheral requests that the central encrypts or pairs (Core 5.4, Vol 3 Part H 3.6.7).
package struct SMPSecurityRequest: SMPPDU {
    package static let opcode = SMPOpcode.securityRequest
    package static let name: StaticString = "SMP Security Request"

    /// The peripheral's AuthReq field.
    package var requirements: SMPAuthenticationRequirements

    package init(requirements: SMPAuthenticationRequirements) {
        self.requirements = requirements
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        requirements = SMPAuthenticationRequirements(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(requirements.rawValue)
    }
}
