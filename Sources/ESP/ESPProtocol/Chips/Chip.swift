/// What a flasher and a board must know about a chip of the ESP32 family.
public struct Chip: Hashable, Sendable {
    /// Espressif's name, e.g. `ESP32-C3`.
    public let name: String
    /// The chip id in image headers and in the answer of GET_SECURITY_INFO.
    public let id: UInt16
    /// What may stand in ``magicRegister``.
    public let magicValues: [UInt32]
    /// Whether the ROM tells the chip id in GET_SECURITY_INFO; otherwise the magic register tells the chip.
    public let tellsChipID: Bool
    /// The first of the two words that hold the MAC address.
    public let macAddressRegister: UInt32
    /// The controller of the flash chip.
    public let flashController: FlashController
    /// Where the second-stage bootloader stands in flash.
    public let bootloaderOffset: UInt32
    /// Whether FLASH_BEGIN and FLASH_DEFL_BEGIN carry the "encrypted" word towards the ROM.
    public let takesEncryptedWord: Bool

    /// The register whose content differs from chip to chip.
    public static let magicRegister: UInt32 = 0x4000_1000

    init(
        _ name: String, id: UInt16, magic: [UInt32], tellsChipID: Bool = true, mac: UInt32, spi: UInt32,
        layout: FlashController.Layout = .newer, bootloader: UInt32 = 0, takesEncryptedWord: Bool = true
    ) {
        self.name = name
        self.id = id
        magicValues = magic
        self.tellsChipID = tellsChipID
        macAddressRegister = mac
        flashController = FlashController(base: spi, layout: layout)
        bootloaderOffset = bootloader
        self.takesEncryptedWord = takesEncryptedWord
    }

    /// The MAC address that the two words at ``macAddressRegister`` hold, most significant byte first.
    public static func macAddress(low: UInt32, high: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: high >> 8), UInt8(truncatingIfNeeded: high),
            UInt8(truncatingIfNeeded: low >> 24), UInt8(truncatingIfNeeded: low >> 16),
            UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low),
        ]
    }

    /// The two words that hold `macAddress`, six bytes; the reverse of ``macAddress(low:high:)``.
    public static func macWords(_ macAddress: [UInt8]) -> (low: UInt32, high: UInt32) {
        let number = macAddress.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
    }
}

/// The registers of the SPI controller of the flash chip, for commands of one's own.
public struct FlashController: Hashable, Sendable {
    /// Where the registers stand after the base.
    struct Layout: Hashable, Sendable {
        let user: UInt32
        let data: UInt32

        static let esp32 = Layout(user: 0x1C, data: 0x80)
        static let newer = Layout(user: 0x18, data: 0x58)
    }

    /// CMD: bit 18 starts a command, and is 0 when it is done.
    public let command: UInt32
    /// USR: which phases a command has.
    public let user: UInt32
    /// USR1: the lengths of address and dummy phase.
    public let user1: UInt32
    /// USR2: opcode, and its length minus 1 in bits 28 to 31.
    public let user2: UInt32
    /// MOSI_DLEN: bits to send minus 1.
    public let sendLength: UInt32
    /// MISO_DLEN: bits to receive minus 1.
    public let receiveLength: UInt32
    /// W0: the first word of the data.
    public let data0: UInt32

    /// In ``command``: start, and busy.
    public static let commandStart: UInt32 = 1 << 18
    /// In ``user``: there is an opcode.
    public static let userHasCommand: UInt32 = 1 << 31
    /// In ``user``: there is a receive phase.
    public static let userHasReceive: UInt32 = 1 << 28

    init(base: UInt32, layout: Layout) {
        command = base
        user = base + layout.user
        user1 = base + layout.user + 4
        user2 = base + layout.user + 8
        sendLength = base + layout.user + 12
        receiveLength = base + layout.user + 16
        data0 = base + layout.data
    }
}
