/// The table of all commands: one entry per type, name and availability.
public enum LoaderCommands {
    /// One command.
    public struct Entry: Sendable {
        /// The type that implements it.
        public let command: any LoaderCommand.Type
        /// The name in Espressif's documentation.
        public let name: String
        /// Whether a ROM loader answers it, or the stub only.
        public let isInROM: Bool
        /// Whether the stub answers it, or a ROM loader only.
        public let isInStub: Bool

        init(_ command: any LoaderCommand.Type, _ name: String, rom: Bool = true, stub: Bool = true) {
            self.command = command
            self.name = name
            isInROM = rom
            isInStub = stub
        }
    }

    /// All commands, by opcode.
    public static let all: [Entry] = [
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
    public static func entry(for opcode: LoaderOpcode) -> Entry? {
        byOpcode[opcode]
    }
}
