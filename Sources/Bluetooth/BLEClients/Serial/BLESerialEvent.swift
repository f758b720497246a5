public import BLECentral

/// What happens to a serial line over Bluetooth LE.
public enum BLESerialEvent: Sendable, Hashable {
    /// The connection is so.
    case link(ClientLink)
    /// Bytes go through: the peer, its name if it has told one, the service, and the longest chunk in bytes.
    case opened(PeerID, name: String?, BLESerialService, chunk: Int)
    /// The connection ended while so many bytes were on their way: whether the board has them is not known, and they are not
    /// sent again.
    case unconfirmed(Int)
    /// Nobody reads, and ``BLESerial/receiveLimit`` bytes wait: what is received from now on is dropped.
    case overflowBegan
    /// Somebody reads again; so many received bytes were dropped.
    case overflow(Int)
    /// A board that counts has lost so many bytes: of those written to it, and of those its UART received.
    case boardLost(fromClient: Int, fromUART: Int)
    /// There will be no connection: so many bytes were not sent.
    case unsent(Int)
    /// There is no connection any more, and none is tried.
    case over
}

/// What has become of the bytes, since the beginning.
public struct BLESerialCounters: Sendable, Hashable {
    /// Those that the board has confirmed.
    public internal(set) var sent = 0
    /// Those that wait to be sent.
    public internal(set) var queued = 0
    /// Those that were on their way when a connection ended.
    public internal(set) var unconfirmed = 0
    /// Those that were given up.
    public internal(set) var unsent = 0
    /// Those that were received, with those that were dropped.
    public internal(set) var received = 0
    /// Those that were received and dropped, since nobody read them.
    public internal(set) var overflow = 0
    /// The connections.
    public internal(set) var connections = 0
}
