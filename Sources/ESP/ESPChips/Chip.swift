/// The data of a chip of the ESP32 family that flashers, boards and images need.
public struct Chip: Hashable, Sendable {
    /// Espressif's name, e.g. `ESP32-C3`.
    public let name: String
    /// The chip id in image headers and in the answer of GET_SECURITY_INFO.
    public let id: UInt16
    /// The possible values of ``magicRegister``.
    public let magicValues: [UInt32]
    /// Whether GET_SECURITY_INFO of the ROM returns the chip id; otherwise the magic register identifies the chip.
    public let reportsChipID: Bool
    /// The first of the two words that hold the MAC address.
    public let macAddressRegister: UInt32
    /// The controller of the flash chip.
    public let flashController: FlashController
    /// The flash offset of the second-stage bootloader.
    public let bootloaderOffset: UInt32
    /// Whether FLASH_BEGIN and FLASH_DEFL_BEGIN carry the "encrypted" word when sent to the ROM.
    public let acceptsEncryptedWord: Bool
    /// Where segments of images may be loaded.
    public let memory: MemoryMap

    /// The register whose content differs from chip to chip.
    public static let magicRegister: UInt32 = 0x4000_1000

    init(
        _ name: String, id: UInt16, magic: [UInt32], reportsChipID: Bool = true, mac: UInt32, spi: UInt32,
        layout: FlashController.Layout = .newer, bootloader: UInt32 = 0, acceptsEncryptedWord: Bool = true,
        memory: MemoryMap
    ) {
        self.name = name
        self.id = id
        magicValues = magic
        self.reportsChipID = reportsChipID
        macAddressRegister = mac
        flashController = FlashController(base: spi, layout: layout)
        bootloaderOffset = bootloader
        self.acceptsEncryptedWord = acceptsEncryptedWord
        self.memory = memory
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
