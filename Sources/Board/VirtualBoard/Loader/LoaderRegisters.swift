public import ESPChips
import ESPProtocol

/// The words of a chip's address space that a flasher reads and writes.
struct LoaderRegisters {
    /// The largest number of stored words: more than a flasher writes.
    private static let writtenLimit = 4096

    let identity: ChipIdentity
    private let efuses: [UInt32: UInt32]
    private let controller: FlashController
    private var flashChip: FlashChipRegisters
    private var written: [UInt32: UInt32] = [:]
    /// True if the flash chip's pins are connected to its controller.
    var isFlashAttached = false
    /// True if a flasher has set the watchdog to reset the chip.
    private(set) var hasStartedWatchdog = false

    init(identity: ChipIdentity) {
        self.identity = identity
        efuses = identity.efuseWords
        controller = identity.chip.flashController
        flashChip = FlashChipRegisters(id: identity.flashID, size: identity.flashSize)
    }

    /// False for addresses that no chip uses: below and above the memories.
    static func isMapped(_ address: UInt32) -> Bool { 0x2000_0000..<0x8000_0000 ~= address }

    /// The ROM's code, which cannot be written.
    private static let readOnly: Range<UInt32> = 0x4000_0000..<0x4006_0000

    /// The word at `address` when the UART runs at `baudRate`.
    func read(_ address: UInt32, baudRate: Int) -> UInt32 {
        if let word = written[address] ?? efuses[address] { return word }
        let chip = identity.chip
        switch address {
        case Chip.magicRegister: return chip.magicValues.first ?? 0
        case chip.uartClockDivider: return UInt32(clamping: Int(identity.crystal) * 1_000_000 / max(1, baudRate))
        case ESP32Clock.calibrationRegister where chip == .esp32:
            return ESP32Clock.calibration(crystal: identity.crystal)
        // Download mode: IO0 was low, the ESP32's other strapping pins had the levels of its development boards.
        case chip.strapping: return chip == .esp32 ? 0x03 : 0
        default: return 0
        }
    }

    /// Writes the bits of `write`'s mask; a write to the flash controller's command register runs the command.
    mutating func write(_ write: WriteRegister.Write, baudRate: Int) {
        let former = read(write.address, baudRate: baudRate)
        let value = write.value & write.mask | former & ~write.mask
        if write.address == controller.command {
            if value & FlashController.commandStart != 0 { runFlashCommand() }
            return
        }
        if let reset = identity.chip.reset, write.address == reset.config, reset.canReset, value >> 31 == 1,
            written[reset.writeProtect] == ResetRegisters.watchdogKey
        {
            hasStartedWatchdog = true
        }
        guard efuses[write.address] == nil, !Self.readOnly.contains(write.address),
            written.count < Self.writtenLimit || written[write.address] != nil
        else {
            return
        }
        written[write.address] = value
    }

    /// A user-defined SPI command to the flash chip: completes at once, with the answer in the data registers.
    private mutating func runFlashCommand() {
        let user = written[controller.user] ?? 0
        var command = FlashChipRegisters.Command(
            opcode: UInt8(truncatingIfNeeded: written[controller.user2] ?? 0))
        if user & FlashController.userHasAddress != 0 {
            let length = ((written[controller.user1] ?? 0) >> FlashController.addressLengthShift) + 1
            let address = written[controller.address] ?? 0
            command.address = controller.hasLeftAlignedAddress && length < 32 ? address >> (32 - length) : address
        }
        if user & FlashController.userHasSend != 0 {
            let bits = ((written[controller.sendLength] ?? 0) & 0x1FF) + 1
            command.sent = (0..<Int(bits + 7) / 8).map { index in
                let word = written[controller.data0 + UInt32(index / 4 * 4)] ?? 0
                return UInt8(truncatingIfNeeded: word >> UInt32(index % 4 * 8))
            }
        }
        if user & FlashController.userHasReceive != 0 {
            command.receivedBits = Int((written[controller.receiveLength] ?? 0) & 0x1FF) + 1
        }
        let answer =
            isFlashAttached
            ? flashChip.perform(command) : [UInt8](repeating: 0xFF, count: (command.receivedBits + 7) / 8)
        for start in stride(from: 0, to: answer.count, by: 4) {
            let bits = min(32, command.receivedBits - start * 8)
            let word = answer[start...].prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            written[controller.data0 + UInt32(start)] = bits < 32 ? word & ((1 << UInt32(bits)) - 1) : word
        }
    }
}

/// The registers of a flash chip like the W25Q, and its answers to commands through the controller's registers.
struct FlashChipRegisters {
    /// One user-defined command.
    struct Command {
        var opcode: UInt8
        /// The address; 0 without an address phase.
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

    /// Performs `command` and returns the bytes received: FF, the level of an idle line, if the chip does not answer.
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

    /// WRITE STATUS 1 (also of 1 and 2 in sequence), 2 and 3; ignored without a WRITE ENABLE before.
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
            0xFFF9_20E5,  // 4 KB erase with 0x20; fast reads 1-1-2, 1-2-2, 1-4-4, 1-1-4; 3-byte addresses.
            UInt32(clamping: size * 8 - 1), 0x6B08_EB44, 0xBB42_3B08, 0xFFFF_FFFE, 0xFF00_FFFF, 0xEB21_FFFF,
            0x520F_200C,  // 4 KB erase with 0x20, 32 KB with 0x52
            0xFF00_D810,  // and 64 KB with 0xD8.
        ]
        for word in words { bytes += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) } }
        return bytes + [UInt8](repeating: 0xFF, count: 0x10 * 4 - words.count * 4)
    }
}

/// The identity of a board's chip: model, revision, MAC address in the eFuses, and flash id.
public struct ChipIdentity: Hashable, Sendable {
    /// The model.
    public var chip: Chip
    /// The revision: major × 100 + minor.
    public var revision: UInt32
    /// The MAC address in the eFuses: 6 bytes, most significant first.
    public var macAddress: [UInt8]
    /// The answer of the flash chip to READ ID (9F): manufacturer in the low byte, then type and capacity.
    public var flashID: UInt32
    /// The size of the flash chip, in bytes.
    public var flashSize: Int
    /// The crystal, in MHz.
    public var crystal: UInt32
    /// True if the eFuses restrict the ROM loader to writing the flash ("secure download mode").
    public var hasSecureDownload = false
    /// The 32 bytes of the flash encryption key in the eFuses; `nil`: blank, which reads as zeros.
    public var flashEncryptionKey: [UInt8]?

    /// A chip with a locally administered MAC address, which no real chip has, and with a flash like the W25Q.
    ///
    /// - Parameters:
    ///   - number: the low 32 bits of the MAC address.
    ///   - flashSize: a power of two, in bytes.
    public init(number: UInt32, flashSize: Int, chip: Chip = .esp32) {
        self.chip = chip
        revision = chip.commonRevision
        crystal = chip.crystal.usual
        macAddress = [0x02, 0xEB] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        let capacity = UInt32(flashSize.trailingZeroBitCount)
        flashID = capacity << 16 | 0x40 << 8 | 0xEF
        self.flashSize = flashSize
    }

    /// The words of the eFuses that are not 0.
    var efuseWords: [UInt32: UInt32] {
        var words: [UInt32: UInt32] = [:]
        let mac = Chip.macWords(macAddress)
        words[chip.macAddressRegister] = mac.low
        // FF:FE extends the address of chips with IEEE 802.15.4 to an EUI-64.
        words[chip.macAddressRegister + 4] = mac.high | (chip.hasEUI64 ? 0xFFFE_0000 : 0)
        chip.storeRevision(revision, in: &words)
        if chip == .esp32 { words[ESP32Clock.oscillatorFuse] = ESP32Clock.oscillatorCode }
        if flashEncryptionKey != nil {
            chip.efuses.keyPurposes.first?.store(EfuseMap.flashEncryptionKeyPurpose, in: &words)
        }
        return words
    }
}

extension Chip {
    fileprivate var hasEUI64: Bool { self == .esp32c5 || self == .esp32c6 || self == .esp32h2 }

    /// The revision of a virtual chip: a widespread one. The loaders of later revisions differ in ways that are not
    /// modelled here.
    fileprivate var commonRevision: UInt32 {
        switch self {
        case .esp32: 300
        case .esp32s2, .esp32c5, .esp32p4: 100
        case .esp32c3: 4
        case .esp32s3, .esp32c6: 2
        case .esp32c2: 101
        default: 101
        }
    }
}

extension ESP32Clock {
    /// The code in the eFuses of most chips.
    static let oscillatorCode: UInt32 = 51
    /// The ratio of the oscillator's rate to the eFuses' value: a warm oscillator is slower.
    private static let drift = 0.99

    /// The content of ``calibrationRegister`` with a crystal of `megahertz`.
    static func calibration(crystal megahertz: UInt32) -> UInt32 {
        let cycles = Double(megahertz) * 1e6 * drift * 40 / 15_625 / Double(oscillatorCode)
        return UInt32(cycles) << 7
    }

    /// The rate that the ROM sets when `rate` is requested.
    static func rate(_ rate: Int, crystal megahertz: UInt32) -> Int {
        let measured = Double(calibration(crystal: megahertz) >> 7) * 15_625 * Double(oscillatorCode) / 40
        return Int((Double(rate) * Double(megahertz) * 1e6 / measured).rounded())
    }
}
