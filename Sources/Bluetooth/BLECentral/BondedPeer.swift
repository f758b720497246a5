public import BLECore

/// A peer whose keys the central has stored.
public struct BondedPeer: Hashable, Sendable {
    /// The peer's identity address, or the address it paired with if it distributed none.
    public var identity: DeviceAddress
    /// Whether the peer's private addresses can be resolved.
    public var hasIdentityKey: Bool
    /// Whether the key is authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// Whether the pairing used LE Secure Connections.
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
