import ByteCodec

/// One kind of Security Manager Protocol PDU (Core 5.4, Vol 3 Part H 3.5 and 3.6).
package protocol SMPPDU: Hashable, Sendable {
    /// The first octet of every such PDU.
    static var opcode: SMPOpcode { get }

    /// The name in the specification, for errors: "SMP Pairing Request".
    static var name: StaticString { get }

    /// Parses the fields after the opcode. All have a fixed length. Surplus bytes remain unread, since some devices
    /// ignore them; callers can reject them with ``ByteReader/end()``.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the whole PDU, opcode first.
    func write(to writer: inout ByteWriter)
}

extension SMPPDU {
    /// Decodes a whole PDU: its opcode must be ``opcode``, without surplus bytes.
    package init(decoding pdu: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(pdu, subject: Self.name)
        let opcode = SMPOpcode(rawValue: try reader.uint8())
        guard opcode == Self.opcode else {
            throw reader.invalid("opcode", UInt64(opcode.rawValue), allowed: "\(Self.opcode)")
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole PDU.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17)
        write(to: &writer)
        return writer.bytes
    }
}

extension SMPOpcode {
    /// Every PDU of the protocol, in the order of the specification.
    package static let pdus: [any SMPPDU.Type] = [
        SMPPairingRequest.self, SMPPairingResponse.self, SMPPairingConfirm.self, SMPPairingRandom.self,
        SMPPairingFailed.self, SMPPairingPublicKey.self, SMPPairingDHKeyCheck.self, SMPPairingKeypressNotification.self,
        SMPEncryptionInformation.self, SMPCentralIdentification.self, SMPIdentityInformation.self,
        SMPIdentityAddressInformation.self, SMPSigningInformation.self, SMPSecurityRequest.self,
    ]
}

/// The first octet of an SMP PDU, the specification's Code (Core 5.4, Vol 3 Part H 3.3); open for any value.
public struct SMPOpcode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An opcode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Pairing Request.
    public static let pairingRequest = SMPOpcode(rawValue: 0x01)
    /// Pairing Response.
    public static let pairingResponse = SMPOpcode(rawValue: 0x02)
    /// Pairing Confirm.
    public static let pairingConfirm = SMPOpcode(rawValue: 0x03)
    /// Pairing Random.
    public static let pairingRandom = SMPOpcode(rawValue: 0x04)
    /// Pairing Failed.
    public static let pairingFailed = SMPOpcode(rawValue: 0x05)
    /// Encryption Information.
    public static let encryptionInformation = SMPOpcode(rawValue: 0x06)
    /// Central Identification.
    public static let centralIdentification = SMPOpcode(rawValue: 0x07)
    /// Identity Information.
    public static let identityInformation = SMPOpcode(rawValue: 0x08)
    /// Identity Address Information.
    public static let identityAddressInformation = SMPOpcode(rawValue: 0x09)
    /// Signing Information.
    public static let signingInformation = SMPOpcode(rawValue: 0x0A)
    /// Security Request.
    public static let securityRequest = SMPOpcode(rawValue: 0x0B)
    /// Pairing Public Key.
    public static let pairingPublicKey = SMPOpcode(rawValue: 0x0C)
    /// Pairing DHKey Check.
    public static let pairingDHKeyCheck = SMPOpcode(rawValue: 0x0D)
    /// Pairing Keypress Notification.
    public static let pairingKeypressNotification = SMPOpcode(rawValue: 0x0E)
}

extension SMPOpcode: CustomStringConvertible {
    /// The number, and the PDU's name if known: `0x01 SMP Pairing Request`.
    public var description: String {
        let number = "0x" + Hexadecimal.string([rawValue]).uppercased()
        guard let pdu = Self.pdus.first(where: { $0.opcode == self }) else { return number }
        return "\(number) \(pdu.name)"
    }
}

/// The AuthReq octet (Core 5.4, Vol 3 Part H 3.5.1, Figure 3.3).
public struct SMPAuthenticationRequirements: OptionSet, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// The requirements in an octet, reserved bits included.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bonding: the keys will be stored.
    public static let bonding = SMPAuthenticationRequirements(rawValue: 0x01)
    /// MITM protection.
    public static let mitm = SMPAuthenticationRequirements(rawValue: 0x04)
    /// LE Secure Connections is supported.
    public static let secureConnections = SMPAuthenticationRequirements(rawValue: 0x08)
    /// Keypress Notifications are wanted.
    public static let keypress = SMPAuthenticationRequirements(rawValue: 0x10)
    /// h7 is supported.
    public static let ct2 = SMPAuthenticationRequirements(rawValue: 0x20)
}

/// A key distribution field (Core 5.4, Vol 3 Part H 3.6.1).
package struct SMPKeyDistribution: OptionSet, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// The keys in an octet, reserved bits included.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// EncKey: LTK, EDIV and Rand, in LE legacy pairing only.
    package static let encryptionKey = SMPKeyDistribution(rawValue: 0x01)
    /// IdKey: IRK and identity address.
    package static let identityKey = SMPKeyDistribution(rawValue: 0x02)
    /// SignKey: CSRK.
    package static let signingKey = SMPKeyDistribution(rawValue: 0x04)
    /// LinkKey: derive the BR/EDR link key.
    package static let linkKey = SMPKeyDistribution(rawValue: 0x08)
}

/// The reason why a device ended a pairing (Core 5.4, Vol 3 Part H 3.5.5); open for any value.
public struct SMPFailureReason: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A reason by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Passkey Entry Failed.
    public static let passkeyEntryFailed = SMPFailureReason(rawValue: 0x01)
    /// OOB Not Available.
    public static let outOfBandNotAvailable = SMPFailureReason(rawValue: 0x02)
    /// Authentication Requirements.
    public static let authenticationRequirements = SMPFailureReason(rawValue: 0x03)
    /// Confirm Value Failed.
    public static let confirmValueFailed = SMPFailureReason(rawValue: 0x04)
    /// Pairing Not Supported.
    public static let pairingNotSupported = SMPFailureReason(rawValue: 0x05)
    /// Encryption Key Size.
    public static let encryptionKeySize = SMPFailureReason(rawValue: 0x06)
    /// Command Not Supported.
    public static let commandNotSupported = SMPFailureReason(rawValue: 0x07)
    /// Unspecified Reason.
    public static let unspecifiedReason = SMPFailureReason(rawValue: 0x08)
    /// Repeated Attempts.
    public static let repeatedAttempts = SMPFailureReason(rawValue: 0x09)
    /// Invalid Parameters.
    public static let invalidParameters = SMPFailureReason(rawValue: 0x0A)
    /// DHKey Check Failed.
    public static let dhKeyCheckFailed = SMPFailureReason(rawValue: 0x0B)
    /// Numeric Comparison Failed.
    public static let numericComparisonFailed = SMPFailureReason(rawValue: 0x0C)
    /// BR/EDR Pairing In Progress.
    public static let brEDRPairingInProgress = SMPFailureReason(rawValue: 0x0D)
    /// Cross-transport Key Derivation/Generation Not Allowed.
    public static let crossTransportKeyNotAllowed = SMPFailureReason(rawValue: 0x0E)
    /// Key Rejected.
    public static let keyRejected = SMPFailureReason(rawValue: 0x0F)
}

extension SMPFailureReason: CustomStringConvertible {
    /// Number and name: `0x04 confirm value failed`.
    public var description: String {
        "0x\(Hexadecimal.string([rawValue]).uppercased()) \(name)"
    }

    private var name: String {
        switch self {
        case .passkeyEntryFailed: "passkey entry failed"
        case .outOfBandNotAvailable: "OOB not available"
        case .authenticationRequirements: "authentication requirements"
        case .confirmValueFailed: "confirm value failed"
        case .pairingNotSupported: "pairing not supported"
        case .encryptionKeySize: "encryption key size"
        case .commandNotSupported: "command not supported"
        case .unspecifiedReason: "unspecified reason"
        case .repeatedAttempts: "repeated attempts"
        case .invalidParameters: "invalid parameters"
        case .dhKeyCheckFailed: "DHKey check failed"
        case .numericComparisonFailed: "numeric comparison failed"
        case .brEDRPairingInProgress: "BR/EDR pairing in progress"
        case .crossTransportKeyNotAllowed: "cross-transport key derivation not allowed"
        case .keyRejected: "key rejected"
        default: "reserved"
        }
    }
}
