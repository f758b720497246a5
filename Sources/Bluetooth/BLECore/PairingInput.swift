/// A pairing's request for user input, which a program may answer; a pairing waits at most 30 s.
public enum PairingInput: Hashable, Sendable {
    /// Choose a passkey, display it and answer with it.
    case displayPasskey
    /// Answer with the passkey that the peer displays.
    case enterPasskey
    /// Answer whether the peer displays the same number; 0...999999.
    case compareNumbers(UInt32)
    /// Answer with the out-of-band data.
    case outOfBand
}

/// The answer to a ``PairingInput``.
public enum PairingAnswer: Hashable, Sendable {
    /// The passkey; 0...999999.
    case passkey(UInt32)
    /// Whether the numbers are equal.
    case confirm(Bool)
    /// LE legacy pairing out of band: the common temporary key; 16 bytes, least significant first.
    case temporaryKey([UInt8])
    /// LE Secure Connections out of band: this device's data, and the peer's.
    case outOfBand(local: OutOfBandValue?, remote: OutOfBandValue?)
    /// Refusal: the pairing fails.
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
