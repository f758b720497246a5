/// The parameters of a connection's link layer.
public struct LinkParameters: Hashable, Sendable {
    /// The connection interval: 7.5 ms to 4 s.
    public var interval: Duration
    /// The number of connection events that the peripheral may skip.
    public var latency: Int
    /// The supervision time-out: 100 ms to 32 s.
    public var supervisionTimeout: Duration
    /// The PHY on which this side sends, and the one on which it receives.
    public var sendPHY, receivePHY: PHY

    /// All fields.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration, sendPHY: PHY, receivePHY: PHY) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.sendPHY = sendPHY
        self.receivePHY = receivePHY
    }
}

/// A PHY of LE (Core 5.4, Vol 6 Part A 1).
public enum PHY: String, Hashable, Sendable, CaseIterable {
    /// 1 Mb/s.
    case le1M = "1M"
    /// 2 Mb/s.
    case le2M = "2M"
    /// 1 Mb/s with forward error correction: 125 or 500 kb/s of data.
    case leCoded = "coded"
}
