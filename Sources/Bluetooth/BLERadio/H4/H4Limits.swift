/// Limits beyond which a host is disconnected.
public struct H4Limits: Sendable {
    /// The most bytes in one second; more than any UART carries.
    public var bytesPerSecond: Int
    /// How long a packet may stay incomplete.
    public var unfinishedPacket: Duration
    /// The most unread bytes, besides those in the system's buffers.
    public var unreadBytes: Int
    /// The unread bytes, besides those in the system's buffers, beyond which a host gets no advertising reports; it is
    /// not disconnected for that.
    public var unreadReports: Int
    /// How long a host waits until the former one has left a controller with an address of its own.
    public var formerHost: Duration

    /// Limits that no correct host reaches.
    public init(
        bytesPerSecond: Int = 16 << 20, unfinishedPacket: Duration = .seconds(5), unreadBytes: Int = 1 << 20,
        unreadReports: Int = 4096, formerHost: Duration = .seconds(1)
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.unfinishedPacket = unfinishedPacket
        self.unreadBytes = unreadBytes
        self.unreadReports = unreadReports
        self.formerHost = formerHost
    }
}
