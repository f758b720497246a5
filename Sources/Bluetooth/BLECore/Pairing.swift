/// A pairing's request for user input, which a program may answer; a pairing waits at most 30 s.
public enum PairingInput: Hashable, Sendable {
    /// Choose a passkey, display it and answer with it.
    case displayPasskey
    /// Answer with the passkey that the peer displays.
    case enterPasskey
    /// Answer whether the peer displays the same number; 0...999999.
    case compareNumbers(UInt32)
    /// Answer with the out-of-band data.
    case outOfBand
}

/// The answer to a ``PairingInput``.
public enum PairingAnswer: Hashable, Sendable {
    /// The passkey; 0...999999.
    case passkey(UInt32)
    /// True if the numbers are equal.
    case confirm(Bool)
    /// LE legacy pairing out of band: the common temporary key; 16 bytes, least significant first.
    case temporaryKey([UInt8])
    /// LE Secure Connections out of band: the data of this device and of the peer.
    case outOfBand(local: OutOfBandValue?, remote: OutOfBandValue?)
    /// Refusal: the pairing fails.
    case cancel
}

/// One side's out-of-band data of LE Secure Connections (Core 5.4, Vol 3 Part H 2.3.5.6.4).
public struct OutOfBandValue: Hashable, Sendable {
    /// The commitment to the public key (C); 16 bytes, least significant first.
    public var confirm: [UInt8]
    /// The random number (r); 16 bytes, least significant first.
    public var random: [UInt8]

    /// The two values.
    public init(confirm: [UInt8], random: [UInt8]) {
        self.confirm = confirm
        self.random = random
    }
}

/// The input and output capabilities of a device in a pairing (Core 5.4, Vol 3 Part H 3.5.1, Table 3.4); open for any
/// value.
public struct IOCapability: RawRepresentable, Hashable, Sendable {
    /// The octet of the Pairing Request and Response; 0...4 are defined.
    public let rawValue: UInt8

    /// A capability by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// DisplayOnly: the device can display a passkey.
    public static let displayOnly = IOCapability(rawValue: 0)
    /// DisplayYesNo: the device can display a number, and the user can confirm or reject it.
    public static let displayYesNo = IOCapability(rawValue: 1)
    /// KeyboardOnly: the user can enter a passkey.
    public static let keyboardOnly = IOCapability(rawValue: 2)
    /// NoInputNoOutput.
    public static let noInputNoOutput = IOCapability(rawValue: 3)
    /// KeyboardDisplay: the device can display a passkey or a number, and the user can enter a passkey or confirm a
    /// number.
    public static let keyboardDisplay = IOCapability(rawValue: 4)
}

extension IOCapability: CaseIterable, CustomStringConvertible {
    /// The defined capabilities, in the order of their numbers.
    public static let allCases: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]

    private static let words = ["display only", "display yes/no", "keyboard only", "none", "keyboard display"]

    /// True if the specification defines the capability.
    public var isDefined: Bool { rawValue < Self.words.count }

    /// The name used in suites, e.g. "display yes/no"; "reserved (5)" for an undefined capability.
    public var description: String { isDefined ? Self.words[Int(rawValue)] : "reserved (\(rawValue))" }
}

/// The security of one connection.
public struct LinkSecurity: Hashable, Sendable, Codable {
    /// True if the link layer encrypts.
    public var isEncrypted: Bool
    /// True if the key is authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// True if the key is stored.
    public var isBonded: Bool
    /// The encryption key size, in bytes; 0 before the first encryption, then 7...16.
    public var keySize: Int

    /// A connection's security; by default no security.
    public init(isEncrypted: Bool = false, isAuthenticated: Bool = false, isBonded: Bool = false, keySize: Int = 0) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isBonded = isBonded
        self.keySize = keySize
    }
}

/// The use of LE Secure Connections or of LE legacy pairing (Core 5.4, Vol 3 Part H 2.3.1).
public enum SecureConnectionsUse: String, Hashable, Sendable, Codable, CaseIterable {
    /// LE legacy pairing only.
    case off
    /// LE Secure Connections if the peer supports it; otherwise LE legacy pairing.
    case preferred
    /// LE Secure Connections only; otherwise a pairing fails.
    case only
}

/// A host's behaviour where the Core Specification leaves a choice, and towards peers that violate it: in its Security
/// Manager, its GATT server and its bonds.
public enum HostBehaviour: String, Hashable, Sendable, Codable, CaseIterable {
    /// Like the NimBLE host of NimBLE-Arduino 2.5.1, byte for byte, including its deviations from the specification.
    case nimble
    /// Strictly as specified; if the specification leaves a choice, the safer one.
    case specification
}
