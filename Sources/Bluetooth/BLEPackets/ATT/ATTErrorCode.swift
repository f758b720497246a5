import ByteCodec

/// Why a server refused a request (Core 5.4, Vol 3 Part F 3.4.1.1; from 0xE0 Core Supplement v11, Part B 1.2); open
/// for any value.
public struct ATTErrorCode: Error, RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An error code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Invalid Handle.
    public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    /// Read Not Permitted.
    public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    /// Write Not Permitted.
    public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    /// Invalid PDU.
    public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    /// Insufficient Authentication.
    public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
    /// Request Not Supported.
    public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    /// Invalid Offset.
    public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    /// Insufficient Authorization.
    public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
    /// Prepare Queue Full.
    public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
    /// Attribute Not Found.
    public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    /// Attribute Not Long.
    public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
    /// Encryption Key Size Too Short.
    public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
    /// Invalid Attribute Value Length.
    public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
    /// Unlikely Error.
    public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
    /// Insufficient Encryption.
    public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
    /// Unsupported Group Type.
    public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
    /// Insufficient Resources.
    public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
    /// Database Out Of Sync.
    public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
    /// Value Not Allowed.
    public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
    /// Write Request Rejected.
    public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
    /// Client Characteristic Configuration Descriptor Improperly Configured.
    public static let clientConfigurationImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
    /// Procedure Already in Progress.
    public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
    /// Out of Range.
    public static let outOfRange = ATTErrorCode(rawValue: 0xFF)
}

extension ATTErrorCode: CustomStringConvertible {
    /// Number and name: `0x05 insufficient authentication`.
    public var description: String {
        "0x\(Hexadecimal.string([rawValue]).uppercased()) \(name)"
    }

    private var name: String {
        switch self {
        case .invalidHandle: "invalid handle"
        case .readNotPermitted: "read not permitted"
        case .writeNotPermitted: "write not permitted"
        case .invalidPDU: "invalid PDU"
        case .insufficientAuthentication: "insufficient authentication"
        case .requestNotSupported: "request not supported"
        case .invalidOffset: "invalid offset"
        case .insufficientAuthorization: "insufficient authorization"
        case .prepareQueueFull: "prepare queue full"
        case .attributeNotFound: "attribute not found"
        case .attributeNotLong: "attribute not long"
        case .encryptionKeySizeTooShort: "encryption key size too short"
        case .invalidAttributeValueLength: "invalid attribute value length"
        case .unlikelyError: "unlikely error"
        case .insufficientEncryption: "insufficient encryption"
        case .unsupportedGroupType: "unsupported group type"
        case .insufficientResources: "insufficient resources"
        case .databaseOutOfSync: "database out of sync"
        case .valueNotAllowed: "value not allowed"
        case .writeRequestRejected: "write request rejected"
        case .clientConfigurationImproperlyConfigured: "client characteristic configuration improperly configured"
        case .procedureAlreadyInProgress: "procedure already in progress"
        case .outOfRange: "out of range"
        default: 0x80...0x9F ~= rawValue ? "application error" : "reserved"
        }
    }
}
