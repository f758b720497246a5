import ByteCodec

/// The operation byte of a command of the ROM loader or the stub (ESP serial protocol, "Commands").
public struct LoaderOpcode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// An opcode by its byte; any value.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// FLASH_BEGIN: erase, and begin an uncompressed write.
    public static let flashBegin = LoaderOpcode(rawValue: 0x02)
    /// FLASH_DATA: one uncompressed block.
    public static let flashData = LoaderOpcode(rawValue: 0x03)
    /// FLASH_END: end an uncompressed write; stay or reboot.
    public static let flashEnd = LoaderOpcode(rawValue: 0x04)
    /// MEM_BEGIN: begin a write to RAM.
    public static let memoryBegin = LoaderOpcode(rawValue: 0x05)
    /// MEM_END: end a write to RAM; stay or run it.
    public static let memoryEnd = LoaderOpcode(rawValue: 0x06)
    /// MEM_DATA: one block to RAM.
    public static let memoryData = LoaderOpcode(rawValue: 0x07)
    /// SYNC: detect the baud rate, and synchronize.
    public static let sync = LoaderOpcode(rawValue: 0x08)
    /// WRITE_REG: write words of the address space.
    public static let writeRegister = LoaderOpcode(rawValue: 0x09)
    /// READ_REG: read a word of the address space.
    public static let readRegister = LoaderOpcode(rawValue: 0x0A)
    /// SPI_SET_PARAMS: set the flash's geometry.
    public static let setFlashParameters = LoaderOpcode(rawValue: 0x0B)
    /// SPI_ATTACH: connect the flash chip.
    public static let attachFlash = LoaderOpcode(rawValue: 0x0D)
    /// READ_FLASH_SLOW: read up to 64 bytes of flash; ROM only.
    public static let readFlashSlow = LoaderOpcode(rawValue: 0x0E)
    /// CHANGE_BAUDRATE.
    public static let changeBaudRate = LoaderOpcode(rawValue: 0x0F)
    /// FLASH_DEFL_BEGIN: erase, and begin a compressed write.
    public static let deflateBegin = LoaderOpcode(rawValue: 0x10)
    /// FLASH_DEFL_DATA: one compressed block.
    public static let deflateData = LoaderOpcode(rawValue: 0x11)
    /// FLASH_DEFL_END: end a compressed write; stay or reboot.
    public static let deflateEnd = LoaderOpcode(rawValue: 0x12)
    /// SPI_FLASH_MD5: the digest of a flash region.
    public static let flashMD5 = LoaderOpcode(rawValue: 0x13)
    /// GET_SECURITY_INFO; the ESP32's ROM does not know it.
    public static let securityInfo = LoaderOpcode(rawValue: 0x14)
    /// ERASE_FLASH: all of it; stub only.
    public static let eraseFlash = LoaderOpcode(rawValue: 0xD0)
    /// ERASE_REGION; stub only.
    public static let eraseRegion = LoaderOpcode(rawValue: 0xD1)
    /// READ_FLASH: a stream of blocks; stub only.
    public static let readFlash = LoaderOpcode(rawValue: 0xD2)
    /// RUN_USER_CODE: leave the loader; stub only, no response.
    public static let runUserCode = LoaderOpcode(rawValue: 0xD3)

    /// The name in Espressif's documentation, or the number.
    public var description: String {
        LoaderCommands.entry(for: self)?.name ?? "command 0x\(Hexadecimal.string([rawValue]))"
    }
}
