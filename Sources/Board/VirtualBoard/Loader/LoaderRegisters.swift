import ESPChips
import ESPProtocol

/// The identity of a board's chip: MAC address in the eFuses, and flash id.
public struct ChipIdentity: Hashable, Sendable {
    /// The MAC address in the eFuses: 6 bytes, most significant first.
    public var macAddress: [UInt8]
    /// The answer of the flash chip to READ ID (9F): manufacturer in the low byte, then type and capacity.
    public var flashID: UInt32

    /// A chip with a locally administered MAC address, which no real chip has, and a flash like the W25Q.
    ///
    /// - Parameters:
    ///   - number: the low 32 bits of the MAC address.
    ///   - flashSize: a power of two, in bytes.
    public init(number: UInt32, flashSize: Int) {
        macAddress = [0x02, 0xEB] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        let capacity = UInt32(flashSize.trailingZeroBitCount)
        flashID = capacity << 16 | 0x40 << 8 | 0xEF
    }
}

/// The words of the ESP32's address space that a flasher reads and writes.
struct LoaderRegisters {
    /// The crystal, in Hz.
    private static let crystal = 40_000_000
    /// The most stored words: more than a flasher writes.
    private static let writtenLimit = 1024

    private let identity: ChipIdentity
    private let controller = Chip.esp32.flashController
    private var written: [UInt32: UInt32] = [:]

    init(identity: ChipIdentity) {
        self.identity = identity
    }

    /// The word at `address` when the UART runs at `baudRate`.
    func read(_ address: UInt32, baudRate: Int) -> UInt32 {
        if let word = written[address] { return word }
        let mac = Chip.macWords(identity.macAddress)
        switch address {
        case Chip.magicRegister: return Chip.esp32.magicValues[0]
        case Chip.esp32.macAddressRegister: return mac.low
        case Chip.esp32.macAddressRegister + 4: return mac.high
        case Self.efuseWord3: return 1 << 15  // CHIP_VER_REV1: revision 1 of the ESP32-D0WDQ6.
        case Self.uartClockDivider: return UInt32(clamping: Self.crystal / max(1, baudRate))
        case Self.strapping: return 0x03
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
        guard written.count < Self.writtenLimit || written[write.address] != nil else { return }
        written[write.address] = value
    }

    /// A user-defined SPI command to the flash chip: completes at once, with the answer in the data register.
    private mutating func runFlashCommand() {
        let opcode = (written[controller.user2] ?? 0) & 0xFF
        let bitCount = (written[controller.receiveLength] ?? 0) & 0x1FF + 1
        let mask = bitCount >= 32 ? UInt32.max : 1 << bitCount - 1
        let answer: UInt32 =
            switch opcode {
            case 0x9F: identity.flashID  // JEDEC READ ID
            default: 0  // Status registers of an idle, unprotected chip.
            }
        written[controller.data0] = answer & mask
    }

    private static let efuseWord3: UInt32 = 0x3FF5_A00C
    private static let uartClockDivider: UInt32 = 0x3FF4_0014
    private static let strapping: UInt32 = 0x3FF4_4038
}
