/// A request of the host's USB stack to one endpoint.
public struct URB: Sendable {
    /// The host's number of it, for completion and unlinking.
    public var id: UInt32
    /// The endpoint's number, without direction.
    public var endpoint: UInt8
    /// Whether the host reads.
    public var isIn: Bool
    /// The setup packet of a control transfer.
    public var setup: SetupPacket?
    /// What the host writes.
    public var data: [UInt8]
    /// The most bytes that the host reads.
    public var length: Int

    /// All fields.
    public init(
        id: UInt32, endpoint: UInt8, isIn: Bool, setup: SetupPacket? = nil, data: [UInt8] = [], length: Int = 0
    ) {
        self.id = id
        self.endpoint = endpoint
        self.isIn = isIn
        self.setup = setup
        self.data = data
        self.length = length
    }
}

/// The end of a ``URB``.
public struct URBCompletion: Hashable, Sendable {
    /// How it ended; the raw value is Linux's negative error number.
    public enum Status: Int32, Sendable {
        /// Transferred.
        case done = 0
        /// The endpoint is halted, or does not know the control request (EPIPE).
        case stall = -32
        /// The device is gone (ESHUTDOWN).
        case shutdown = -108
    }

    /// The ``URB/id``.
    public var id: UInt32
    /// How it ended.
    public var status: Status
    /// What was read.
    public var data: [UInt8]
    /// The number of bytes transferred, read or written.
    public var actualLength: Int
}
