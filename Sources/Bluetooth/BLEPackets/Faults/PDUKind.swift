/// A kind of PDU between two devices: by its L2CAP channel and its opcode, or by its link layer control opcode.
public enum PDUKind: Hashable, Sendable {
    /// Any L2CAP frame.
    case frame
    /// A frame on this channel whose first octet is one of `opcodes`; any frame on it where there are none.
    case channel(L2CAPChannelID, opcodes: Set<UInt8>)
    /// A link layer control PDU with one of `opcodes`; any where there are none.
    case linkControl(opcodes: Set<UInt8>)

    /// A PDU of the Attribute Protocol; `nil`: any.
    public static func attribute(_ opcode: ATTOpcode?) -> PDUKind {
        .channel(.attribute, opcodes: Set(opcode.map { [$0.rawValue] } ?? []))
    }

    /// A request of the Attribute Protocol; not a command, nor a confirmation.
    public static let attributeRequest = PDUKind.channel(
        .attribute, opcodes: Set(ATTOpcode.requests.map(\.rawValue)))

    /// A response of the Attribute Protocol, Error Response among them; not a notification, nor an indication.
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

    /// The opcodes; none: any.
    public var opcodes: Set<UInt8> {
        switch self {
        case .frame: []
        case .channel(_, let opcodes), .linkControl(let opcodes): opcodes
        }
    }

    /// Whether it is a link layer control PDU, which no host sends or receives.
    public var isLinkControl: Bool {
        if case .linkControl = self { true } else { false }
    }

    /// Whether an HCI ACL packet that begins an L2CAP frame is one of these.
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
