/// A future PDU: the n-th of a kind, counted over all connections that may carry it.
///
/// A PDU is one L2CAP frame, in any number of packets, or one link layer control PDU.
public struct PDUPoint: Hashable, Sendable {
    /// The kind of PDU.
    public var kind: PDUKind
    /// The role of its sender; `nil`: either.
    public var sender: HCIRole?
    /// Which occurrence, counted from 1.
    public var occurrence: Int

    /// A PDU; by default the next of the kind, from either side.
    public init(_ kind: PDUKind, from sender: HCIRole? = nil, occurrence: Int = 1) {
        self.kind = kind
        self.sender = sender
        self.occurrence = occurrence
    }
}

/// A radio fault at a given PDU, e.g. the n-th PDU of a kind is lost, or the link ends.
public struct PDUFault: Hashable, Sendable {
    /// The effect on the PDU.
    public enum Action: Hashable, Sendable {
        /// The receiving controller acknowledges it and discards it: its host never receives it.
        case drop
        /// CRC error: the link layer retransmits it in the next connection event. With encryption the packet and its
        /// counter stay the same; only time is lost.
        case corrupt
        /// It is altered in transit with a valid CRC: `mask` flips bits of one byte, counted from the opcode (0), or of
        /// the last byte of its first packet if that is shorter. On an encrypted link that is a MIC failure, and the
        /// receiver disconnects with 0x3D; otherwise its host receives the altered PDU.
        case alter(byte: Int, mask: UInt8)
        /// Its last packet is replayed with a valid sequence number. On an encrypted link that is a MIC failure, since
        /// the packet counter has advanced; otherwise the host receives the packet twice.
        case replay
        /// It and all following PDUs are delayed by this time.
        case delay(Duration)
        /// From its transmission on all packets are lost: both ends detect a supervision time-out.
        case cut
        /// Instead of its transmission the link ends at both ends at once, with this reason.
        case disconnect(HCIErrorCode)
    }

    /// The first affected PDU; counting starts when the fault is added.
    public var point: PDUPoint
    /// The number of consecutive PDUs affected; `nil`: all from the first on.
    public var count: Int?
    /// The effect.
    public var action: Action

    /// A fault; by default it affects the first PDU of the kind, once, from either side.
    public init(
        _ action: Action, _ kind: PDUKind, from sender: HCIRole? = nil, occurrence: Int = 1, count: Int? = 1
    ) {
        self.init(action, at: PDUPoint(kind, from: sender, occurrence: occurrence), count: count)
    }

    /// A fault that first affects the PDU at `point`.
    public init(_ action: Action, at point: PDUPoint, count: Int? = 1) {
        self.point = point
        self.count = count
        self.action = action
    }
}
