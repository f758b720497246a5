public import BLEPackets

/// A radio fault at a named point, e.g. the n-th PDU of a kind is lost, or the link ends.
///
/// A PDU is one L2CAP frame, in any number of packets, or one link layer control PDU; counting starts when the fault is
/// added, over all connections of its sender.
public struct RadioFault: Hashable, Sendable {
    /// The kind of PDU; a `nil` code matches any.
    public enum Subject: Hashable, Sendable {
        /// Any L2CAP frame.
        case frame
        /// A PDU of the Attribute Protocol.
        case attribute(ATTOpcode?)
        /// A request of the Attribute Protocol; not a command, nor a confirmation.
        case attributeRequest
        /// A response of the Attribute Protocol, Error Response among them; not a notification, nor an indication.
        case attributeResponse
        /// A PDU of the Security Manager.
        case securityManager(SMPOpcode?)
        /// A signalling packet.
        case signalling(L2CAPSignallingCode?)
        /// A link layer control PDU.
        case linkControl(LinkControlOpcode?)
    }

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

    /// The kind of PDU.
    public var subject: Subject
    /// The sender; `nil` for any.
    public var sender: ControllerID?
    /// The receiver; `nil` for any.
    public var receiver: ControllerID?
    /// The first affected occurrence, counted from 1.
    public var occurrence: Int
    /// The number of consecutive affected PDUs; `nil` for all from the first on.
    public var count: Int?
    /// What happens to it.
    public var action: Action

    /// A fault; by default it affects the first PDU of the kind, once, from any sender.
    public init(
        _ action: Action, _ subject: Subject, from sender: ControllerID? = nil, to receiver: ControllerID? = nil,
        occurrence: Int = 1, count: Int? = 1
    ) {
        self.subject = subject
        self.sender = sender
        self.receiver = receiver
        self.occurrence = occurrence
        self.count = count
        self.action = action
    }
}

/// Identifies a fault; never reused.
public struct RadioFaultID: Hashable, Sendable {
    let rawValue: Int
}

extension RadioFault.Subject {
    /// Whether an ACL packet that begins a frame is one of these.
    func matches(_ bytes: [UInt8]) -> Bool {
        let start = HCIACLHeader.size
        guard bytes.count >= start + L2CAPBasicFrame.headerLength else { return false }
        let channel = L2CAPChannelID(rawValue: UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8)
        let offset = start + L2CAPBasicFrame.headerLength
        let code = offset < bytes.count ? bytes[offset] : nil
        return switch self {
        case .frame: true
        case .attribute(let opcode): channel == .attribute && (opcode == nil || opcode?.rawValue == code)
        case .attributeRequest: channel == .attribute && code.map { Self.requests.contains($0) } ?? false
        case .attributeResponse: channel == .attribute && code.map { Self.responses.contains($0) } ?? false
        case .securityManager(let opcode):
            channel == .securityManager && (opcode == nil || opcode?.rawValue == code)
        case .signalling(let wanted): channel == .signalling && (wanted == nil || wanted?.rawValue == code)
        case .linkControl: false
        }
    }

    func matches(_ pdu: LinkControlPDU) -> Bool {
        guard case .linkControl(let opcode) = self else { return false }
        return opcode == nil || opcode == pdu.opcode
    }

    /// Core 5.4, Vol 3 Part F 3.4: requests have even opcodes, their responses the following odd ones.
    private static let requests = Set(stride(from: 0x02 as UInt8, through: 0x20, by: 2)).subtracting([
        0x14, 0x1A, 0x1C, 0x1E,
    ])
    private static let responses = Set([0x01] + requests.map { $0 + 1 })
}
