public import BLECore

/// What happens without being asked for.
public enum CentralEvent: Sendable, Hashable {
    /// A peer was heard while scanning.
    case advertisement(Advertisement)
    /// The server sent a value of its own accord.
    case notification(ConnectionID, AttributeID, value: [UInt8], isIndication: Bool)
    /// The ATT MTU changed.
    case mtuChanged(ConnectionID, Int)
    /// A connection ended; the last event of it. `reason` is the HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g.
    /// 0x13; `nil` where it is not known.
    case disconnected(ConnectionID, reason: UInt8?)
    /// A pairing waits for an answer by ``CentralBackend/answerPairing(_:on:)``.
    case pairingInput(ConnectionID, PairingInput)
    /// The protection of a connection changed.
    case securityChanged(ConnectionID, LinkSecurity)
    /// The peer asks for protection; whoever hears this may encrypt or pair.
    case securityRequested(ConnectionID)

    /// The connection it is an event of; `nil` for an advertisement.
    public var connection: ConnectionID? {
        switch self {
        case .advertisement: nil
        case .notification(let connection, _, _, _), .mtuChanged(let connection, _), .disconnected(let connection, _),
            .pairingInput(let connection, _), .securityChanged(let connection, _), .securityRequested(let connection):
            connection
        }
    }
}
