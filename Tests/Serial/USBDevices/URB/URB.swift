/// A request of the host's USB stack to one endpoint.
package struct URB: Sendable {
    /// The host's number of it, for completion and unlinking.
    package var id: UInt32
    /// The endpoint's number, without direction.
    package var endpoint: UInt8
    /// Whether the host reads.
    package var isIn: Bool
    /// The setup packet of a control transfer.
    package var setup: SetupPacket?
    /// What the host writes.
    package var data: [UInt8]
    /// The most bytes that the host reads.
    package var length: Int

    /// All fields.
    package init(
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
package struct URBCompletion: Hashable, Sendable {
    /// How it ended; the raw value is Linux's negative error number.
    package enum Status: Int32, Sendable {
        /// Transferred.
        case done = 0
        /// The endpoint is halted, or does not know the control request (EPIPE).
        case stall = -32
        /// The device did not answer as USB demands (EPROTO).
        case protocolError = -71
        /// The device is gone (ESHUTDOWN).
        case shutdown = -108
    }

    /// The ``URB/id``.
    package var id: UInt32
    /// How it ended.
    package var status: Status
    /// What was read.
    package var data: [UInt8]
    /// The number of bytes transferred, read or written.
    package var actualLength: Int
}
