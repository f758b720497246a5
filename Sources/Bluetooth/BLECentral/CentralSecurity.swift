public import BLECore

/// A central's configuration for pairings that begin later.
public struct CentralSecurity: Hashable, Sendable {
    /// The central's input and output capabilities.
    public var ioCapability: IOCapability
    /// True to bond.
    public var bonding: Bool
    /// True to request MITM protection.
    public var mitm: Bool
    /// The use of LE Secure Connections.
    public var secureConnections: SecureConnectionsUse
    /// The acceptable sizes of encryption keys, in bytes; within 7...16. The largest is offered.
    public var keySizes: ClosedRange<Int>
    /// True if this device has the peer's out-of-band data; ``PairingInput/outOfBand`` then requests it.
    public var hasOutOfBandData: Bool
    /// True to scan and connect with resolvable private addresses, which change every 15 minutes.
    public var privacy: Bool

    /// A configuration; the default is that of a phone: keyboard and display, bonding, MITM protection, LE Secure
    /// Connections where the peer supports it.
    public init(
        ioCapability: IOCapability = .keyboardDisplay, bonding: Bool = true, mitm: Bool = true,
        secureConnections: SecureConnectionsUse = .preferred, keySizes: ClosedRange<Int> = 7...16,
        hasOutOfBandData: Bool = false, privacy: Bool = false
    ) {
        self.ioCapability = ioCapability
        self.bonding = bonding
        self.mitm = mitm
        self.secureConnections = secureConnections
        self.keySizes = keySizes
        self.hasOutOfBandData = hasOutOfBandData
        self.privacy = privacy
    }
}

/// A peer whose keys the central has stored.
public struct BondedPeer: Hashable, Sendable {
    /// The peer's identity address; if the peer distributed none, its address during pairing.
    public var identity: DeviceAddress
    /// True if the peer's private addresses can be resolved.
    public var hasIdentityKey: Bool
    /// True if the key is authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// True if the pairing used LE Secure Connections.
    public var isSecureConnections: Bool
    /// The encryption key size, in bytes; 7...16.
    public var keySize: Int

    /// A bonded peer.
    public init(
        identity: DeviceAddress, hasIdentityKey: Bool, isAuthenticated: Bool, isSecureConnections: Bool, keySize: Int
    ) {
        self.identity = identity
        self.hasIdentityKey = hasIdentityKey
        self.isAuthenticated = isAuthenticated
        self.isSecureConnections = isSecureConnections
        self.keySize = keySize
    }
}
