public import BLECore

/// What a pairing needs of its user, or of the program in the user's place; it waits at most 30 s.
public enum PairingInput: Hashable, Sendable {
    /// Choose a passkey, show it and answer with it.
    case displayPasskey
    /// Answer with the passkey that the peer shows.
    case enterPasskey
    /// Say whether the peer shows the same number; 0...999999.
    case compareNumbers(UInt32)
    /// Answer with what came out of band.
    case outOfBand
}

/// The answer to a ``PairingInput``.
public enum PairingAnswer: Hashable, Sendable {
    /// The passkey; 0...999999.
    case passkey(UInt32)
    /// Whether the numbers are the same.
    case confirm(Bool)
    /// LE legacy pairing out of band: the temporary key both have; 16 bytes, least significant first.
    case temporaryKey([UInt8])
    /// LE Secure Connections out of band: what this side gave the peer, and what the peer gave this side.
    case outOfBand(local: OutOfBandValue?, remote: OutOfBandValue?)
    /// There is no answer: the pairing fails.
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

/// How well one connection is protected.
public struct LinkSecurity: Hashable, Sendable, Codable {
    /// Whether the link layer encrypts.
    public var isEncrypted: Bool
    /// Whether the key is protected against a machine in the middle.
    public var isAuthenticated: Bool
    /// Whether the key is kept.
    public var isBonded: Bool
    /// How many bytes of the key count: 7...16, or 0 without encryption.
    public var keySize: Int

    /// A connection's protection; by default none.
    public init(isEncrypted: Bool = false, isAuthenticated: Bool = false, isBonded: Bool = false, keySize: Int = 0) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isBonded = isBonded
        self.keySize = keySize
    }
}

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
