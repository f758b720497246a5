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

/// The table of all commands: one entry per type, name and availability.
package enum LoaderCommands {
    /// One command.
    package struct Entry: Sendable {
        /// The type that implements it.
        package let command: any LoaderCommand.Type
        /// The name in Espressif's documentation.
        package let name: String
        /// True if a ROM loader answers it; false if only the stub does.
        package let isInROM: Bool
        /// True if the stub answers it; false if only a ROM loader does.
        package let isInStub: Bool

        init(_ command: any LoaderCommand.Type, _ name: String, rom: Bool = true, stub: Bool = true) {
            self.command = command
            self.name = name
            isInROM = rom
            isInStub = stub
        }
    }

    /// All commands, by opcode.
    package static let all: [Entry] = [
        Entry(FlashBegin.self, "FLASH_BEGIN"),
        Entry(FlashData.self, "FLASH_DATA"),
        Entry(FlashEnd.self, "FLASH_END"),
        Entry(MemoryBegin.self, "MEM_BEGIN"),
        Entry(MemoryEnd.self, "MEM_END"),
        Entry(MemoryData.self, "MEM_DATA"),
        Entry(Sync.self, "SYNC"),
        Entry(WriteRegister.self, "WRITE_REG"),
        Entry(ReadRegister.self, "READ_REG"),
        Entry(SetFlashParameters.self, "SPI_SET_PARAMS"),
        Entry(AttachFlash.self, "SPI_ATTACH"),
        Entry(ReadFlashSlow.self, "READ_FLASH_SLOW", stub: false),
        Entry(ChangeBaudRate.self, "CHANGE_BAUDRATE"),
        Entry(DeflateBegin.self, "FLASH_DEFL_BEGIN"),
        Entry(DeflateData.self, "FLASH_DEFL_DATA"),
        Entry(DeflateEnd.self, "FLASH_DEFL_END"),
        Entry(FlashMD5.self, "SPI_FLASH_MD5"),
        Entry(GetSecurityInfo.self, "GET_SECURITY_INFO"),
        Entry(EraseFlash.self, "ERASE_FLASH", rom: false),
        Entry(EraseRegion.self, "ERASE_REGION", rom: false),
        Entry(ReadFlash.self, "READ_FLASH", rom: false),
        Entry(RunUserCode.self, "RUN_USER_CODE", rom: false),
    ]

    private static let byOpcode = [LoaderOpcode: Entry](
        all.map { ($0.command.opcode, $0) }, uniquingKeysWith: { first, _ in first })

    /// The command with `opcode`, if there is one.
    package static func entry(for opcode: LoaderOpcode) -> Entry? {
        byOpcode[opcode]
    }
}

/// How long a flasher waits for answers: esptool's values.
package enum LoaderTimeout {
    /// For commands without flash access.
    package static let `default`: Duration = .seconds(3)
    /// For one SYNC.
    package static let sync: Duration = .milliseconds(100)
    /// For ERASE_FLASH.
    package static let chipErase: Duration = .seconds(120)
    /// For erasing and writing 1 MB.
    package static let writePerMegabyte: Duration = .seconds(40)
    /// For the digest of 1 MB.
    package static let md5PerMegabyte: Duration = .seconds(8)
    /// After the response to CHANGE_BAUDRATE, until the new rate applies.
    package static let baudRateSettle: Duration = .milliseconds(50)

    /// `perMegabyte` scaled to `byteCount` bytes, plus ``default``.
    package static func scaled(_ perMegabyte: Duration, byteCount: UInt32) -> Duration {
        `default` + perMegabyte * Int(byteCount) / 1_000_000
    }
}
