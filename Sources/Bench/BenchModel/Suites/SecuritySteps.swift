public import BLECore

/// A `pair` step: a new pairing, whatever bond there is.
public struct PairStep: Sendable {
    /// How the central answers when the pairing asks for a passkey.
    public enum Passkey: Sendable {
        /// Not at all: the suite says nothing about it, so being asked is a failure.
        case unexpected
        /// With this number.
        case number(Expression)
        /// With the number in the newest console line that matches: the pattern's first group.
        case console(String)
        /// With the number after that one, which is wrong.
        case wrongConsole(String)
        /// With the one that the last passkey entry with the board gave away on the air: the central is an eavesdropper.
        case overheard
        /// The user refuses.
        case refused
        /// Nobody answers.
        case unanswered
    }

    /// Who pairs.
    public var client: ClientReference
    /// What the central can show and take in.
    public var capability: IOCapability
    /// Whether keys are to be kept.
    public var isBonding: Bool
    /// Whether to ask for protection against a machine in the middle.
    public var isProtected: Bool
    /// Whether to use LE Secure Connections.
    public var secureConnections: SecureConnectionsUse
    /// The size of the key in bytes.
    public var keySize: Expression
    /// The passkey.
    public var passkey: Passkey
    /// The answer to whether two numbers are the same; `nil`: being asked is a failure.
    public var confirmation: Bool?
    /// The error that must come.
    public var expectedError: ExpectedError?

    /// The sizes of keys there are, in bytes (Core 5.4, Vol 3 Part H 2.3.4).
    public static let keySizes: ClosedRange<Int64> = 7...16
    /// The passkeys there are.
    public static let passkeys: ClosedRange<Int64> = 0...999_999
}

/// An `encrypt` step.
public struct EncryptStep: Hashable, Sendable {
    /// Whose link.
    public var client: ClientReference
    /// The error that must come.
    public var expectedError: ExpectedError?
}

/// A `forget` step: bonds are deleted, and nobody is told.
public struct ForgetStep: Hashable, Sendable {
    /// Whose bonds.
    public var holder: BondHolder
    /// The bond with whom; `nil`: all.
    public var peer: ClientReference?
}

/// Who has bonds.
public enum BondHolder: Hashable, Sendable {
    /// The board.
    case board
    /// A central.
    case client(ClientReference)
}

/// How many bonds there must be, or with whom.
public enum BondExpectation: Sendable {
    /// So many.
    case count(Expression)
    /// With these centrals and no others, the oldest first.
    case clients([ClientReference])
}

/// How a link must be protected.
public struct SecurityExpectation: Hashable, Sendable {
    /// What holds; what is not in it must not hold.
    public var properties: Set<SecurityProperty>
    /// The size of the key in bytes; `nil`: any.
    public var keySize: Expression?
}

/// A property of a link.
public enum SecurityProperty: String, Hashable, Sendable, CaseIterable {
    /// The link layer encrypts.
    case encrypted
    /// The key is protected against a machine in the middle.
    case authenticated
    /// The key is kept.
    case bonded
}

/// The error that an operation must end with.
public enum ExpectedError: Hashable, Sendable {
    /// The number of its protocol: ATT for an attribute, SMP for a pairing, HCI for an encryption.
    case code(Expression)
    /// A pairing fails for this reason.
    case pairing(PairingFailure)
    /// An encryption fails because the board has no key: HCI 0x06, PIN or Key Missing.
    case keyMissing
    /// The central has no bond.
    case notBonded
    /// The Security Manager's or ATT's time is up.
    case timeout
    /// The link ends first.
    case disconnected
}

/// Why a pairing fails, in the words of the specification (Core 5.4, Vol 3 Part H 3.5.5).
public enum PairingFailure: String, Hashable, Sendable, CaseIterable {
    /// 0x01
    case passkeyEntryFailed = "passkey entry failed"
    /// 0x02
    case outOfBandNotAvailable = "OOB not available"
    /// 0x03
    case authenticationRequirements = "authentication requirements"
    /// 0x04
    case confirmValueFailed = "confirm value failed"
    /// 0x05
    case pairingNotSupported = "pairing not supported"
    /// 0x06
    case encryptionKeySize = "encryption key size"
    /// 0x07
    case commandNotSupported = "command not supported"
    /// 0x08
    case unspecifiedReason = "unspecified reason"
    /// 0x09
    case repeatedAttempts = "repeated attempts"
    /// 0x0A
    case invalidParameters = "invalid parameters"
    /// 0x0B
    case keyCheckFailed = "DHKey check failed"
    /// 0x0C
    case numericComparisonFailed = "numeric comparison failed"

    /// The number of the reason.
    public var code: UInt8 {
        UInt8(1 + (Self.allCases.firstIndex(of: self) ?? 0))
    }
}
