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
        /// The receiving controller acknowledges the PDU and discards it: its host does not receive it.
        case drop
        /// CRC error: the link layer retransmits the PDU in the next connection event. On an encrypted link the packet
        /// and its counter do not change: the only effect is a delay.
        case corrupt
        /// The PDU is altered in transit with a valid CRC: `mask` flips bits of one byte, counted from the opcode (0),
        /// or of the last byte of its first packet if that is shorter. On an encrypted link this is a MIC failure, and
        /// the receiver disconnects with 0x3D; otherwise its host receives the altered PDU.
        case alter(byte: Int, mask: UInt8)
        /// The PDU's last packet is replayed with a valid sequence number. On an encrypted link this is a MIC failure,
        /// since the packet counter has advanced; otherwise the host receives the packet twice.
        case replay
        /// The PDU and all following PDUs are delayed by this time.
        case delay(Duration)
        /// From its transmission on, all packets are lost: both ends detect a supervision time-out.
        case cut
        /// Instead of its transmission, the link ends at both ends at once, with this reason.
        case disconnect(HCIErrorCode)
    }

    /// The first affected PDU; counting starts when the fault is added.
    public var point: PDUPoint
    /// The number of consecutive PDUs affected; `nil`: all PDUs from the first on.
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

/// A kind of PDU between two devices: by its L2CAP channel and its opcode, or by its link layer control opcode.
public enum PDUKind: Hashable, Sendable {
    /// Any L2CAP frame.
    case frame
    /// A frame on this channel whose first octet is one of `opcodes`; if `opcodes` is empty, any frame on the channel.
    case channel(L2CAPChannelID, opcodes: Set<UInt8>)
    /// A link layer control PDU with one of `opcodes`; if `opcodes` is empty, any such PDU.
    case linkControl(opcodes: Set<UInt8>)

    /// A PDU of the Attribute Protocol; `nil`: any.
    public static func attribute(_ opcode: ATTOpcode?) -> PDUKind {
        .channel(.attribute, opcodes: Set(opcode.map { [$0.rawValue] } ?? []))
    }

    /// A request of the Attribute Protocol; not a command, nor a confirmation.
    public static let attributeRequest = PDUKind.channel(
        .attribute, opcodes: Set(ATTOpcode.requests.map(\.rawValue)))

    /// A response of the Attribute Protocol, including Error Response; not a notification, nor an indication.
    public static let attributeResponse = PDUKind.channel(
        .attribute, opcodes: Set(ATTOpcode.responses.map(\.rawValue)))

    /// A PDU of the Security Manager; `nil`: any.
    public static func securityManager(_ opcode: SMPOpcode?) -> PDUKind {
        .channel(.securityManager, opcodes: Set(opcode.map { [$0.rawValue] } ?? []))
    }

    /// A signalling packet; `nil`: any.
    public static func signalling(_ code: L2CAPSignallingCode?) -> PDUKind {
        .channel(.signalling, opcodes: Set(code.map { [$0.rawValue] } ?? []))
    }

    /// The opcodes; empty: any.
    public var opcodes: Set<UInt8> {
        switch self {
        case .frame: []
        case .channel(_, let opcodes), .linkControl(let opcodes): opcodes
        }
    }

    /// True if it is a link layer control PDU, which no host sends or receives.
    public var isLinkControl: Bool {
        if case .linkControl = self { true } else { false }
    }

    /// True if this HCI ACL packet begins an L2CAP frame of this kind.
    public func matches(firstPacket bytes: [UInt8]) -> Bool {
        let start = HCIACLHeader.size + L2CAPBasicFrame.headerLength
        guard bytes.count >= start else { return false }
        switch self {
        case .frame: return true
        case .channel(let wanted, let opcodes):
            let channel = UInt16(bytes[start - 2]) | UInt16(bytes[start - 1]) << 8
            guard channel == wanted.rawValue else { return false }
            return opcodes.isEmpty || start < bytes.count && opcodes.contains(bytes[start])
        case .linkControl: return false
        }
    }
}
