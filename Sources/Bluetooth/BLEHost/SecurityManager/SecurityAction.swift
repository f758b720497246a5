package import BLECore
package import BLEPackets

/// An action of a ``SecurityManager``; the order matters.
package enum SecurityAction: Hashable, Sendable {
    /// Send this PDU on the Security Manager's channel.
    case send([UInt8])
    /// Fetch this many random bytes (NimBLE: with LE Rand, 8 at a time) and pass them to
    /// ``SecurityManager/supply(random:now:)``. Until then input is queued.
    case needsRandom(Int)
    /// Central: LE Enable Encryption with this key.
    case startEncryption(LongTermKey)
    /// Peripheral: LE Long Term Key Request Reply with this key, 16 bytes, least significant first.
    case replyLongTermKey([UInt8])
    /// Peripheral: LE Long Term Key Request Negative Reply.
    case refuseLongTermKey
    /// Ask the user; the answer goes to ``SecurityManager/answer(_:now:)``.
    case needsInput(PairingInput)
    /// A pairing begins: delete the peer's bond, if any, before continuing, as NimBLE-Arduino does.
    case forgetBond
    /// Store this bond, in place of any other with the same peer.
    case bonded(Bond)
    /// Central: Security Request of the peripheral; the owner encrypts, pairs or does nothing.
    case securityRequested(SMPAuthenticationRequirements)
    /// A pairing or encryption has ended; ``SecurityManager/security`` is the link's new security.
    case ended(SecurityProcedureKind, SecurityStatus)
}

/// The kind of procedure that ended.
package enum SecurityProcedureKind: Hashable, Sendable {
    /// A pairing.
    case pairing
    /// An encryption with a key of an earlier pairing.
    case encryption
}
