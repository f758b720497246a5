/// The end of a connection.
public struct Disconnection: Hashable, Sendable {
    /// The peer.
    public var peer: PeerID
    /// Which of its connections.
    public var connection: ConnectionID
    /// The HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g. 0x08 for a link that was lost; `nil` if it is not known.
    public var reason: UInt8?
    /// Whether this central asked for it: ``Peripheral/disconnect()``, ``Central/close()``.
    public var isPurposeful: Bool

    /// An end.
    public init(peer: PeerID, connection: ConnectionID, reason: UInt8?, isPurposeful: Bool) {
        self.peer = peer
        self.connection = connection
        self.reason = reason
        self.isPurposeful = isPurposeful
    }
}

/// Whether there is a connection to a peer.
public enum ConnectionState: Hashable, Sendable {
    /// There is none.
    case disconnected
    /// One is being made.
    case connecting
    /// There is one.
    case connected
}
