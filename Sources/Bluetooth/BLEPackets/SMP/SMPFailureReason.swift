import ByteCodec

/// Why a device ended a pairing (Core 5.4, Vol 3 Part H 3.5.5); open for any value.
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
