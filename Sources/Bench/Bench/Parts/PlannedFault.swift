/// One PDU to come between the board and a central.
public struct PlannedPDU: Hashable, Sendable {
    /// In place of a channel for link layer control PDUs: L2CAP's null identifier.
    public static let linkControl: UInt16 = 0

    /// The L2CAP channel: 4 ATT, 6 SMP; 0: a link layer control PDU, which goes through none.
    public var channel: UInt16
    /// The opcodes; empty: every one.
    public var opcodes: Set<UInt8>
    /// Whether the board sends it; `nil`: the board or a central.
    public var isFromBoard: Bool?
    /// The how-many-eth from now on, from 1.
    public var count: Int

    /// A PDU to come.
    public init(channel: UInt16, opcodes: Set<UInt8>, isFromBoard: Bool?, count: Int) {
        self.channel = channel
        self.opcodes = opcodes
        self.isFromBoard = isFromBoard
        self.count = count
    }
}

/// A fault on the air.
public struct PlannedFault: Hashable, Sendable {
    /// What is done.
    public enum Action: Hashable, Sendable {
        /// The PDU does not arrive, and its sender does not notice.
        case drop
        /// Noise: the link layer has to send it again.
        case corrupt
        /// Somebody changes this byte of it, counted from the opcode (0), and the checksum with it.
        case alter(byte: Int)
        /// Somebody sends it once more.
        case replay
        /// It arrives later.
        case delay(Duration)
        /// From there on the two sides do not hear each other.
        case cut
        /// The link ends instead of it, for this HCI reason.
        case disconnect(reason: UInt8)
    }

    /// Names the fault.
    public var number: Int
    /// Which PDU.
    public var pdu: PlannedPDU
    /// What is done to it.
    public var action: Action
    /// Whether it is done to every such PDU from that one on; else it comes once.
    public var isRepeated: Bool

    /// A fault.
    public init(number: Int, pdu: PlannedPDU, action: Action, isRepeated: Bool = false) {
        self.number = number
        self.pdu = pdu
        self.action = action
        self.isRepeated = isRepeated
    }
}
