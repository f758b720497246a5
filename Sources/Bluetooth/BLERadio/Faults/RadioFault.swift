public import BLEPackets

/// Something that goes wrong on the air at a named point: the n-th PDU of a kind is lost, or the link with it.
///
/// A PDU is one L2CAP frame, however many packets it takes, or one PDU of the link layers themselves; counting starts
/// when the fault is added, and goes over all connections of its sender.
public struct RadioFault: Hashable, Sendable {
    /// What kind of PDU; a code that is `nil` is any.
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
        /// A PDU that the controllers exchange among themselves.
        case linkControl(LinkControlOpcode?)
    }

    /// What happens to the PDU.
    public enum Action: Hashable, Sendable {
        /// The receiving controller acknowledges it and loses it: its host never hears of it.
        case drop
        /// Noise: its CRC is wrong, so that the link layer sends it again an event later. With encryption it is the
        /// same packet with the same counter; nothing but time is lost.
        case corrupt
        /// Somebody changes it on its way and makes the CRC right: `mask` flips bits of one byte, counted from the
        /// opcode (0), or of its first packet's last where there are fewer. On an encrypted link that is a MIC failure, and the
        /// receiver is gone with 0x3D; else its host gets the changed PDU.
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

    /// What kind of PDU.
    public var subject: Subject
    /// Who sends it; `nil` is anyone.
    public var sender: ControllerID?
    /// Whom it is for; `nil` is anyone.
    public var receiver: ControllerID?
    /// Which of these PDUs is the first to be hit, counted from 1.
    public var occurrence: Int
    /// How many are hit, one after the other; `nil` is all from the first on.
    public var count: Int?
    /// What happens to it.
    public var action: Action

    /// A fault; by default it hits the first PDU of the kind, once, whoever sends it.
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

/// Names a fault on an air; never used twice.
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

    /// Core 5.4, Vol 3 Part F 3.4: requests have even opcodes, their answers the odd ones after them.
    private static let requests = Set(stride(from: 0x02 as UInt8, through: 0x20, by: 2)).subtracting([
        0x14, 0x1A, 0x1C, 0x1E,
    ])
    private static let responses = Set([0x01] + requests.map { $0 + 1 })
}
