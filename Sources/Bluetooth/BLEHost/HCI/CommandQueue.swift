import BLEPackets
import MonotonicTime

/// Sends commands one at a time: the next when the one before has been answered and the controller gives a credit
/// (Core 5.4, Vol 4 Part E 4.4).
struct CommandQueue {
    /// How long a controller may take to answer (NimBLE: `BLE_HCI_CMD_TIMEOUT_MS`).
    static let timeout = Duration.seconds(2)

    private var waiting = FIFO<HCIPacket>()
    private var sent: (opcode: HCIOpcode, packet: HCIPacket, deadline: MonotonicInstant)?
    private var hasCredit = true

    mutating func append(_ packet: HCIPacket) {
        waiting.append(packet)
    }

    mutating func removeAll() {
        waiting.removeAll()
        sent = nil
        hasCredit = true
    }

    /// When the answer to the command sent is overdue.
    var deadline: MonotonicInstant? { sent?.deadline }

    /// The command that has not been answered.
    var unanswered: HCIOpcode? { sent?.opcode }

    /// The next command that may be sent now.
    mutating func next(now: MonotonicInstant) -> HCIPacket? {
        guard sent == nil, hasCredit, let packet = waiting.popFirst() else { return nil }
        let opcode = HCIOpcode(rawValue: UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8)
        sent = (opcode, packet, now.advanced(by: Self.timeout))
        return packet
    }

    /// Takes an answer, and the credits that came with it. Gives the command back, or `nil` when no such command was
    /// open.
    mutating func answered(_ opcode: HCIOpcode, credits: UInt8) -> HCIPacket? {
        hasCredit = credits > 0
        guard let answered = sent, answered.opcode == opcode else { return nil }
        sent = nil
        return answered.packet
    }
}
