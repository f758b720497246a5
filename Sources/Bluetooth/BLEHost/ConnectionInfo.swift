public import BLECore

/// A connection handle of the controller (Core 5.4, Vol 4 Part E 5.4.2): 0...0x0EFF.
public typealias ConnectionHandle = UInt16

/// A ``Host``'s state of one connection.
public struct ConnectionInfo: Hashable, Sendable {
    /// The controller's handle.
    public internal(set) var handle: ConnectionHandle
    /// True if this host is the central.
    public internal(set) var isCentral: Bool
    /// The peer's address in the connection event.
    public internal(set) var peer: DeviceAddress
    /// The connection interval, in units of 1.25 ms.
    public internal(set) var interval: UInt16
    /// The number of connection events that the peripheral may skip.
    public internal(set) var latency: UInt16
    /// The supervision time-out, in units of 10 ms.
    public internal(set) var supervisionTimeout: UInt16
    /// The security of the link.
    public internal(set) var security = LinkSecurity()
    /// The peer's identity address if known, from its bond or a pairing; otherwise ``peer``.
    public internal(set) var identity: DeviceAddress

    init(
        handle: ConnectionHandle, isCentral: Bool, peer: DeviceAddress, interval: UInt16, latency: UInt16,
        supervisionTimeout: UInt16
    ) {
        self.handle = handle
        self.isCentral = isCentral
        self.peer = peer
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        identity = peer
    }
}

/// Requested connection parameters.
public struct ConnectionParameters: Hashable, Sendable {
    /// The shortest interval, in units of 1.25 ms; 6...3200.
    public var intervalMin: UInt16
    /// The longest interval, in units of 1.25 ms; 6...3200.
    public var intervalMax: UInt16
    /// The number of connection events that the peripheral may skip; 0...499.
    public var latency: UInt16
    /// The supervision time-out, in units of 10 ms; 10...3200, and more than (1 + latency) × intervalMax × 2.
    public var supervisionTimeout: UInt16

    /// Parameters; the default is for fast connections: 7.5 ms, no latency, 2 s.
    public init(
        intervalMin: UInt16 = 6, intervalMax: UInt16 = 6, latency: UInt16 = 0, supervisionTimeout: UInt16 = 200
    ) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// True if the values are valid (Core 5.4, Vol 4 Part E 7.8.18).
    var areValid: Bool {
        intervalMin <= intervalMax && intervalMin >= 6 && intervalMax <= 3200 && latency <= 499
            && (10...3200).contains(supervisionTimeout)
            && Int(supervisionTimeout) * 4 > (1 + Int(latency)) * Int(intervalMax)
    }
}
