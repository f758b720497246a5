public import BLECore

/// A Long Term Key with EDIV and Rand (Core 5.4, Vol 3 Part H 2.4.2.3).
public struct LongTermKey: Hashable, Sendable {
    /// The key, 16 bytes, least significant first as in HCI; zeros beyond ``size``.
    public var value: [UInt8]
    /// EDIV; 0 for a key of LE Secure Connections.
    public var ediv: UInt16
    /// Rand; 0 for a key of LE Secure Connections.
    public var rand: UInt64
    /// The encryption key size, in bytes; 7...16.
    public var size: Int
    /// True if the pairing was authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// True if the pairing used LE Secure Connections.
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

/// The stored keys of a bonded peer.
public struct Bond: Hashable, Sendable {
    /// The peer's identity address; if the peer distributed none, its address during pairing.
    public var peer: DeviceAddress
    /// The key that resolves the peer's private addresses; 16 bytes, least significant first.
    public var peerIRK: [UInt8]?
    /// The key that checks the peer's signatures; 16 bytes, least significant first.
    public var peerCSRK: [UInt8]?
    /// The key that signs this device's data; 16 bytes, least significant first.
    public var localCSRK: [UInt8]?
    /// The key for encryption as central: the peer's, or the common one of LE Secure Connections.
    public var peerKey: LongTermKey?
    /// The key for encryption as peripheral: this device's, or the common one of LE Secure Connections.
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
