public import BLECore

/// An event of a central's stack.
public enum CentralEvent: Sendable, Hashable {
    /// The adapter or the stack's service has failed or is gone: scanning and all connections have ended.
    case failed(CentralError)
    /// An advertisement was received while scanning.
    case advertisement(Advertisement)
    /// The server sent a notification or indication.
    case notification(ConnectionID, AttributeID, value: [UInt8], isIndication: Bool)
    /// The ATT MTU changed.
    case mtuChanged(ConnectionID, Int)
    /// A connection ended; this is its last event. `reason` is the HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g.
    /// 0x13; `nil` if it is not known. `remark` is what the stack makes of it, e.g. that a bond may have been lost.
    case disconnected(ConnectionID, reason: UInt8?, remark: String? = nil)
    /// A pairing waits for an answer by ``CentralBackend/answerPairing(_:on:)``.
    case pairingInput(ConnectionID, PairingInput)
    /// The stack has chosen the passkey of a pairing itself, 0...999999: show it to the user, who enters it on the peer.
    /// Needs no answer.
    case passkeyDisplayed(ConnectionID, UInt32)
    /// The security of a connection changed.
    case securityChanged(ConnectionID, LinkSecurity)
    /// The peer sent a Security Request; the handler may encrypt or pair.
    case securityRequested(ConnectionID)

    /// The connection of the event; `nil` for an advertisement and a failure.
    public var connection: ConnectionID? {
        switch self {
        case .failed, .advertisement: nil
        case .notification(let connection, _, _, _), .mtuChanged(let connection, _),
            .disconnected(let connection, _, _), .pairingInput(let connection, _),
            .passkeyDisplayed(let connection, _), .securityChanged(let connection, _),
            .securityRequested(let connection):
            connection
        }
    }
}
