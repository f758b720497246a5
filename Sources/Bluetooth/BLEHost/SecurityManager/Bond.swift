public import BLECore

/// A key that encrypts links, and what names it on air (Core 5.4, Vol 3 Part H 2.4.2.3).
public struct LongTermKey: Hashable, Sendable {
    /// The key, 16 bytes, least significant first as HCI carries it; zeros beyond ``size``.
    public var value: [UInt8]
    /// EDIV; 0 for a key of LE Secure Connections.
    public var ediv: UInt16
    /// Rand; 0 for a key of LE Secure Connections.
    public var rand: UInt64
    /// How many bytes of the value count; 7...16.
    public var size: Int
    /// Whether the pairing was protected against a machine in the middle.
    public var isAuthenticated: Bool
    /// Whether the pairing was one of LE Secure Connections.
    public var isSecureConnections: Bool

    /// A key with these fields.
    public init(
        value: [UInt8], ediv: UInt16 = 0, rand: UInt64 = 0, size: Int = 16, isAuthenticated: Bool,
        isSecureConnections: Bool
    ) {
        self.value = value
        self.ediv = ediv
        self.rand = rand
        self.size = size
        self.isAuthenticated = isAuthenticated
        self.isSecureConnections = isSecureConnections
    }
}

/// What a host keeps of a peer it has bonded with.
public struct Bond: Hashable, Sendable {
    /// The peer's identity address, or the address it paired with if it gave none.
    public var peer: DeviceAddress
    /// The key that resolves the peer's private addresses; 16 bytes, least significant first.
    public var peerIRK: [UInt8]?
    /// The key that checks the peer's signatures; 16 bytes, least significant first.
    public var peerCSRK: [UInt8]?
    /// The key that signs this side's data; 16 bytes, least significant first.
    public var localCSRK: [UInt8]?
    /// The key to encrypt with as central: the one the peer made, or both sides' in LE Secure Connections.
    public var peerKey: LongTermKey?
    /// The key to answer with as peripheral: the one this side made, or both sides' in LE Secure Connections.
    public var localKey: LongTermKey?

    /// A bond with these keys.
    public init(
        peer: DeviceAddress, peerIRK: [UInt8]? = nil, peerCSRK: [UInt8]? = nil, localCSRK: [UInt8]? = nil,
        peerKey: LongTermKey? = nil, localKey: LongTermKey? = nil
    ) {
        self.peer = peer
        self.peerIRK = peerIRK
        self.peerCSRK = peerCSRK
        self.localCSRK = localCSRK
        self.peerKey = peerKey
        self.localKey = localKey
    }
}
