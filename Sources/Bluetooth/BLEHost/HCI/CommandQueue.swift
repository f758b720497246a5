internal import BLEPackets
internal import MonotonicTime

/// Sends commands one at a time: each after the answer to the previous command, when the controller grants a credit
/// (Core 5.4, Vol 4 Part E 4.4).
struct CommandQueue {
    /// The time-out of a controller's answer (NimBLE: `BLE_HCI_CMD_TIMEOUT_MS`).
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

    /// The time-out of the pending command.
    var deadline: MonotonicInstant? { sent?.deadline }

    /// The pending command.
    var unanswered: HCIOpcode? { sent?.opcode }

    /// The next command that may be sent now.
    mutating func next(now: MonotonicInstant) -> HCIPacket? {
        guard sent == nil, hasCredit, let packet = waiting.popFirst() else { return nil }
        let opcode = HCIOpcode(rawValue: UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8)
        sent = (opcode, packet, now.advanced(by: Self.timeout))
        return packet
    }

    /// Handles an answer and its credits. Returns the command, or `nil` when it was not pending.
    mutating func answered(_ opcode: HCIOpcode, credits: UInt8) -> HCIPacket? {
        hasCredit = credits > 0
        guard let answered = sent, answered.opcode == opcode else { return nil }
        sent = nil
        return answered.packet
    }
}
