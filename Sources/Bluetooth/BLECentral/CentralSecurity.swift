public import BLECore

/// What a central offers and asks for in pairings that begin later.
public struct CentralSecurity: Hashable, Sendable {
    /// What the central can show and take in.
    public var ioCapability: IOCapability
    /// Whether keys are to be kept.
    public var bonding: Bool
    /// Whether to ask for protection against a machine in the middle.
    public var mitm: Bool
    /// Whether to use LE Secure Connections.
    public var secureConnections: SecureConnectionsUse
    /// The acceptable sizes of encryption keys in bytes, within 7...16; the longest is what is offered.
    public var keySizes: ClosedRange<Int>
    /// Whether the peer's out-of-band data is at hand: ``PairingInput/outOfBand`` then asks for it.
    public var hasOutOfBandData: Bool
    /// Whether to scan and connect with resolvable private addresses, a new one every 15 minutes.
    public var privacy: Bool

    /// What a phone does: a keyboard and a display, bonding, protection, LE Secure Connections where possible.
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
