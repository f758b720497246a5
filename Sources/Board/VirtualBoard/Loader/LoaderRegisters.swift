import ESPChips
import ESPProtocol

/// The words of a chip's address space that a flasher reads and writes.
struct LoaderRegisters {
    /// The most stored words: more than a flasher writes.
    private static let writtenLimit = 4096

    let identity: ChipIdentity
    private let efuses: [UInt32: UInt32]
    private let controller: FlashController
    private var flashChip: FlashChipRegisters
    private var written: [UInt32: UInt32] = [:]
    /// Whether the flash chip's pins are connected to its controller.
    var isFlashAttached = false
    /// Whether a flasher has set the watchdog to reset the chip.
    private(set) var hasStartedWatchdog = false

    init(identity: ChipIdentity) {
        self.identity = identity
        efuses = identity.efuseWords
        controller = identity.chip.flashController
        flashChip = FlashChipRegisters(id: identity.flashID, size: identity.flashSize)
    }

    /// False where no chip has anything: below its memories, and above.
    static func isMapped(_ address: UInt32) -> Bool { 0x2000_0000..<0x8000_0000 ~= address }

    /// The ROM's code, which is not written.
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
        // Download mode: IO0 was low, the other strapping pins of the ESP32 as on its development boards.
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
