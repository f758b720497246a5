/// What a pairing needs of its user, or of the program in the user's place; a pairing waits at most 30 s.
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
