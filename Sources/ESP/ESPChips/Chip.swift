/// The data of a chip of the ESP32 family that flashers, boards and images need.
public struct Chip: Hashable, Sendable, CustomStringConvertible {
    /// Espressif's name, e.g. `ESP32-C3`.
    public let name: String
    /// The chip id in image headers and in the answer of GET_SECURITY_INFO.
    public let id: UInt16
    /// The possible values of ``magicRegister``.
    public let magicValues: [UInt32]
    /// What the ROM answers to GET_SECURITY_INFO.
    public let securityInfo: SecurityInfo
    /// The first of the two words that hold the MAC address.
    public let macAddressRegister: UInt32
    /// The controller of the flash chip.
    public let flashController: FlashController
    /// The flash offset of the second-stage bootloader.
    public let bootloaderOffset: UInt32
    /// Whether FLASH_BEGIN and FLASH_DEFL_BEGIN carry the "encrypted" word when sent to the ROM.
    public let acceptsEncryptedWord: Bool
    /// Whether the ROM, at the end of a compressed write, is known to leave alone what follows the region. The ESP32's
    /// programs its whole window of 32 KB over it, unerased; the ESP32-C3's does not; the others have not been measured.
    public let inflatesWithinRegion: Bool
    /// Where segments of images may be loaded.
    public let memory: MemoryMap
    /// The eFuses.
    public let efuses: EfuseMap
    /// The crystal.
    public let crystal: Crystal
    /// The clock divider of UART 0: crystal frequency / rate.
    public let uartClockDivider: UInt32
    /// The strapping pins at the last reset; `nil`: no flasher asks.
    public let strapping: UInt32?
    /// The watchdogs, and a reset without the EN pin.
    public let reset: ResetRegisters?
    /// USB; `nil` for a chip with UARTs only.
    public let usb: USBRegisters?
    /// The flash frequencies of image headers.
    public let flashFrequencies: [FlashFrequency]
    /// The bytes to which encrypted writes are aligned.
    public let encryptedWriteAlignment: UInt32

    /// What a ROM answers to GET_SECURITY_INFO.
    public enum SecurityInfo: Hashable, Sendable {
        /// The command is not known.
        case none
        /// Flags, counter and key purposes: 12 bytes.
        case withoutChipID
        /// Also the chip id and the version of the interface: 20 bytes.
        case withChipID
    }

    /// The frequencies a chip's crystal can have, in MHz.
    public enum Crystal: Hashable, Sendable {
        /// Always this one.
        case fixed(UInt32)
        /// One of these, of which the first is the usual one; the clock divider shows which.
        case measured([UInt32])

        /// The usual frequency in MHz.
        public var usual: UInt32 {
            switch self {
            case .fixed(let frequency): frequency
            case .measured(let all): all.first ?? 40
            }
        }
    }

    /// A frequency of the flash in image headers.
    public struct FlashFrequency: Hashable, Sendable {
        /// In MHz.
        public let megahertz: UInt32
        /// The code, 4 bits.
        public let code: UInt8
    }

    /// The register whose content differs from chip to chip.
    public static let magicRegister: UInt32 = 0x4000_1000

    /// Whether GET_SECURITY_INFO of the ROM returns the chip id; otherwise the magic register identifies the chip.
    public var reportsChipID: Bool { securityInfo == .withChipID }

    /// Its name.
    public var description: String { name }

    /// esptool's name of the chip, e.g. `esp32c3`.
    public var identifier: String { name.lowercased().filter { $0 != "-" } }

    init(
        _ name: String, id: UInt16, magic: [UInt32], securityInfo: SecurityInfo = .withChipID, mac: UInt32,
        spi: UInt32, layout: FlashController.Layout = .newer, bootloader: UInt32 = 0,
        acceptsEncryptedWord: Bool = true, inflatesWithinRegion: Bool = false, memory: MemoryMap, efuses: EfuseMap,
        crystal: Crystal = .fixed(40),
        uartClockDivider: UInt32 = 0x6000_0014, strapping: UInt32? = nil, reset: ResetRegisters? = nil,
        usb: USBRegisters? = nil, frequencies: [(UInt32, UInt8)] = [(80, 0xF), (40, 0), (26, 1), (20, 2)],
        encryptedWriteAlignment: UInt32 = 16
    ) {
        self.name = name
        self.id = id
        magicValues = magic
        self.securityInfo = securityInfo
        macAddressRegister = mac
        flashController = FlashController(base: spi, layout: layout)
        bootloaderOffset = bootloader
        self.acceptsEncryptedWord = acceptsEncryptedWord
        self.inflatesWithinRegion = inflatesWithinRegion
        self.memory = memory
        self.efuses = efuses
        self.crystal = crystal
        self.uartClockDivider = uartClockDivider
        self.strapping = strapping
        self.reset = reset
        self.usb = usb
        flashFrequencies = frequencies.map { FlashFrequency(megahertz: $0.0, code: $0.1) }
        self.encryptedWriteAlignment = encryptedWriteAlignment
    }
}
