package import BLECore
package import BLEPackets

/// What a ``SecurityManager`` wants done, in this order.
package enum SecurityAction: Hashable, Sendable {
    /// Send this PDU on the Security Manager's channel.
    case send([UInt8])
    /// Fetch this many random bytes (NimBLE: with LE Rand, 8 at a time) and give them to
    /// ``SecurityManager/supply(random:now:)``. Until then what arrives waits.
    case needsRandom(Int)
    /// Central: LE Enable Encryption with this key.
    case startEncryption(LongTermKey)
    /// Peripheral: LE Long Term Key Request Reply with this key, 16 bytes, least significant first.
    case replyLongTermKey([UInt8])
    /// Peripheral: LE Long Term Key Request Negative Reply.
    case refuseLongTermKey
    /// Ask the user; the answer goes to ``SecurityManager/answer(_:now:)``.
    case needsInput(PairingInput)
    /// A peer pairs: forget its bond, if there is one, before going on, as NimBLE-Arduino does.
    case forgetBond
    /// Keep this bond, in place of any other with the same peer.
    case bonded(Bond)
    /// Central: the peripheral asks for security; the owner encrypts, pairs or does nothing.
    case securityRequested(SMPAuthenticationRequirements)
    /// A pairing or encryption is over; ``SecurityManager/security`` says how the link is protected now.
    case ended(SecurityProcedureKind, SecurityStatus)
}

/// What kind of procedure ended.
package enum SecurityProcedureKind: Hashable, Sendable {
    /// A pairing.
    case pairing
    /// An encryption with a key of an earlier pairing.
    case encryption
}
