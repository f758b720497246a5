public import BLECore

/// A central's configuration for pairings that begin later.
public struct CentralSecurity: Hashable, Sendable {
    /// The central's input and output capabilities.
    public var ioCapability: IOCapability
    /// Whether to bond.
    public var bonding: Bool
    /// Whether to request MITM protection.
    public var mitm: Bool
    /// Whether to use LE Secure Connections.
    public var secureConnections: SecureConnectionsUse
    /// The acceptable sizes of encryption keys, in bytes; within 7...16. The largest is offered.
    public var keySizes: ClosedRange<Int>
    /// Whether this device has the peer's out-of-band data; ``PairingInput/outOfBand`` then requests it.
    public var hasOutOfBandData: Bool
    /// Whether to scan and connect with resolvable private addresses, a new one every 15 minutes.
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
