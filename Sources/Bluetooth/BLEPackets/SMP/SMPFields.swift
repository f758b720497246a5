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
public struct SMPKeyDistribution: OptionSet, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// The keys in an octet, reserved bits included.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// EncKey: LTK, EDIV and Rand, in LE legacy pairing only.
    public static let encryptionKey = SMPKeyDistribution(rawValue: 0x01)
    /// IdKey: IRK and identity address.
    public static let identityKey = SMPKeyDistribution(rawValue: 0x02)
    /// SignKey: CSRK.
    public static let signingKey = SMPKeyDistribution(rawValue: 0x04)
    /// LinkKey: derive the BR/EDR link key.
    public static let linkKey = SMPKeyDistribution(rawValue: 0x08)
}
