public import BLECore

/// A peer whose keys the central keeps.
public struct BondedPeer: Hashable, Sendable {
    /// The peer's identity address, or the one it paired with if it gave none.
    public var identity: DeviceAddress
    /// Whether the peer's private addresses can be resolved.
    public var hasIdentityKey: Bool
    /// Whether the key is protected against a machine in the middle.
    public var isAuthenticated: Bool
    /// Whether the key is one of LE Secure Connections.
    public var isSecureConnections: Bool
    /// How many bytes of the key count; 7...16.
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
