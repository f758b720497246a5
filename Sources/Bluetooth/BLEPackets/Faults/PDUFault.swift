/// One PDU to come: the n-th of a kind, counted over all connections it can go over.
///
/// A PDU is one L2CAP frame, however many packets it takes, or one PDU of the link layers themselves.
public struct PDUPoint: Hashable, Sendable {
    /// What kind of PDU.
    public var kind: PDUKind
    /// The role of its sender; `nil`: either.
    public var sender: HCIRole?
    /// Which of these PDUs, counted from 1.
    public var occurrence: Int

    /// A PDU; by default the next of the kind, whoever sends it.
    public init(_ kind: PDUKind, from sender: HCIRole? = nil, occurrence: Int = 1) {
        self.kind = kind
        self.sender = sender
        self.occurrence = occurrence
    }
}

/// Something that goes wrong on the air at a named point: the n-th PDU of a kind is lost, or the link with it.
public struct PDUFault: Hashable, Sendable {
    /// What happens to the PDU.
    public enum Action: Hashable, Sendable {
        /// The receiving controller acknowledges it and loses it: its host never hears of it.
        case drop
        /// Noise: its CRC is wrong, so that the link layer sends it again an event later. With encryption it is the
        /// same packet with the same counter; nothing but time is lost.
        case corrupt
        /// Somebody changes it on its way and makes the CRC right: `mask` flips bits of one byte, counted from the
        /// opcode (0), or of its first packet's last where there are fewer. On an encrypted link that is a MIC
        /// failure, and the receiver disconnects with 0x3D; else its host gets the changed PDU.
        case alter(byte: Int, mask: UInt8)
        /// Somebody sends its last packet again, with a sequence number that fits. On an encrypted link that is a
        /// MIC failure, for the counter is used up; else the host gets the packet twice.
        case replay
        /// It waits this long before it is sent, and everything behind it too.
        case delay(Duration)
        /// From its sending on the ends do not hear each other any more: both find out by supervision time-out.
        case cut
        /// Instead of its sending the link ends at both ends at once, for this reason.
        case disconnect(HCIErrorCode)
    }

    /// The first PDU that is hit; counting starts when the fault is added.
    public var point: PDUPoint
    /// How many are hit, one after the other; `nil`: all from the first on.
    public var count: Int?
    /// What happens to it.
    public var action: Action

    /// A fault; by default it hits the first PDU of the kind, once, whoever sends it.
    public init(
        _ action: Action, _ kind: PDUKind, from sender: HCIRole? = nil, occurrence: Int = 1, count: Int? = 1
    ) {
        self.init(action, at: PDUPoint(kind, from: sender, occurrence: occurrence), count: count)
    }

    /// A fault that first hits the PDU at `point`.
    public init(_ action: Action, at point: PDUPoint, count: Int? = 1) {
        self.point = point
        self.count = count
        self.action = action
    }
}
