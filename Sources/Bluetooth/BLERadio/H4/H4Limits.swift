/// What a host may do before it is cut off.
public struct H4Limits: Sendable {
    /// The most bytes in one second; no UART carries as many.
    public var bytesPerSecond: Int
    /// How long a packet may stay unfinished.
    public var unfinishedPacket: Duration
    /// The most bytes that it may leave unread, besides what the system holds.
    public var unreadBytes: Int

    /// Limits that no well-behaved host meets.
    public init(
        bytesPerSecond: Int = 16 << 20, unfinishedPacket: Duration = .seconds(5), unreadBytes: Int = 1 << 20
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.unfinishedPacket = unfinishedPacket
        self.unreadBytes = unreadBytes
    }
}
