/// The registers of a flash chip like the W25Q, and its answers to commands through the controller's registers.
struct FlashChipRegisters {
    /// One user-defined command.
    struct Command {
        var opcode: UInt8
        /// The address phase; 0 without one.
        var address: UInt32 = 0
        /// The bytes sent, at most 64.
        var sent: [UInt8] = []
        /// The number of bits received.
        var receivedBits = 0
    }

    private let id: UInt32
    private let sfdp: [UInt8]
    /// Status registers 1 to 3.
    private var status: [UInt8] = [0, 0, 0]
    private var isWriteEnabled = false
    private var isPoweredDown = false

    init(id: UInt32, size: Int) {
        self.id = id
        sfdp = Self.sfdp(size: size)
    }

    /// Performs `command`; the bytes received, without an answer FF as an idle line reads.
    mutating func perform(_ command: Command) -> [UInt8] {
        let count = (command.receivedBits + 7) / 8
        if isPoweredDown, command.opcode != 0xAB { return [UInt8](repeating: 0xFF, count: count) }
        let answer: [UInt8]
        switch command.opcode {
        case 0x9F: answer = [0, 8, 16].map { UInt8(truncatingIfNeeded: id >> $0) }
        case 0x5A: answer = (0..<count).map { sfdpByte(at: Int(command.address) + $0) }
        case 0x05: answer = [status[0] | (isWriteEnabled ? 2 : 0)]
        case 0x35: answer = [status[1]]
        case 0x15: answer = [status[2]]
        case 0x01, 0x31, 0x11:
            writeStatus(command)
            answer = []
        default:
            control(command.opcode)
            answer = []
        }
        return Array(answer.prefix(count)) + repeatElement(0xFF, count: max(0, count - answer.count))
    }

    /// WRITE STATUS 1 (also of 1 and 2 in sequence), 2 and 3; ignored unless WRITE ENABLE came before.
    private mutating func writeStatus(_ command: Command) {
        guard isWriteEnabled else { return }
        isWriteEnabled = false
        let first = [0x01: 0, 0x31: 1, 0x11: 2][command.opcode] ?? 0
        // Busy and "write enabled" cannot be written.
        for (index, byte) in zip(first..<status.count, command.sent.prefix(first == 0 ? 2 : 1)) {
            status[index] = index == 0 ? byte & ~3 : byte
        }
    }

    private mutating func control(_ opcode: UInt8) {
        switch opcode {
        case 0x06, 0x50: isWriteEnabled = true
        case 0x04: isWriteEnabled = false
        case 0xB9: isPoweredDown = true
        case 0xAB: isPoweredDown = false
        case 0x99: isWriteEnabled = false
        default: break
        }
    }

    private func sfdpByte(at offset: Int) -> UInt8 {
        sfdp.indices.contains(offset) ? sfdp[offset] : 0xFF
    }

    /// The Serial Flash Discoverable Parameters (JESD216): header, one parameter header, and the basic table at 0x80.
    private static func sfdp(size: Int) -> [UInt8] {
        var bytes: [UInt8] = Array("SFDP".utf8) + [0x05, 0x01, 0x00, 0xFF]
        bytes += [0x00, 0x05, 0x01, 0x10, 0x80, 0x00, 0x00, 0xFF]
        bytes += [UInt8](repeating: 0xFF, count: 0x80 - bytes.count)
        let words: [UInt32] = [
            0xFFF9_20E5,  // Erases of 4 KB by 20; fast reads 1-1-2, 1-2-2, 1-4-4, 1-1-4; 3-byte addresses.
            UInt32(clamping: size * 8 - 1), 0x6B08_EB44, 0xBB42_3B08, 0xFFFF_FFFE, 0xFF00_FFFF, 0xEB21_FFFF,
            0x520F_200C,  // Erases of 4 KB by 20, 32 KB by 52
            0xFF00_D810,  // and 64 KB by D8.
        ]
        for word in words { bytes += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) } }
        return bytes + [UInt8](repeating: 0xFF, count: 0x10 * 4 - words.count * 4)
    }
}
