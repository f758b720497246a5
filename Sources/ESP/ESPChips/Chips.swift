/// The table of known chips.
extension Chip {
    /// ESP32.
    public static let esp32 = Chip(
        "ESP32", id: 0, magic: [0x00F0_1D83], reportsChipID: false, mac: 0x3FF5_A004, spi: 0x3FF4_2000, layout: .esp32,
        bootloader: 0x1000, acceptsEncryptedWord: false,
        memory: MemoryMap(
            flashData: 0x3F40_0000..<0x3F80_0000, flashInstructions: 0x400D_0000..<0x4040_0000,
            ram: [
                0x3FFA_E000..<0x4000_0000, 0x3FF8_0000..<0x3FF8_2000, 0x4007_0000..<0x400C_0000,
                0x400C_0000..<0x400C_2000, 0x5000_0000..<0x5000_2000,
            ]))
    /// ESP32-S2.
    public static let esp32s2 = Chip(
        "ESP32-S2", id: 2, magic: [0x0000_07C6], reportsChipID: false, mac: 0x3F41_A044, spi: 0x3F40_2000,
        bootloader: 0x1000,
        memory: MemoryMap(
            flashData: 0x3F00_0000..<0x3F3F_0000, flashInstructions: 0x4008_0000..<0x40B8_0000,
            ram: [
                0x3FFB_0000..<0x4000_0000, 0x3FF9_E000..<0x3FFA_0000, 0x4002_0000..<0x4007_2000,
                0x5000_0000..<0x5000_2000,
            ]))
    /// ESP32-S3.
    public static let esp32s3 = Chip(
        "ESP32-S3", id: 9, magic: [0x9], mac: 0x6000_7044, spi: 0x6000_2000,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3E00_0000, flashInstructions: 0x4200_0000..<0x4400_0000,
            ram: [
                0x3FC8_8000..<0x3FD0_0000, 0x4037_0000..<0x403E_0000, 0x600F_E000..<0x6010_0000,
                0x5000_0000..<0x5000_2000,
            ]))
    /// ESP32-C2.
    public static let esp32c2 = Chip(
        "ESP32-C2", id: 12, magic: [0x6F51_306F, 0x7C41_A06F], mac: 0x6000_8840, spi: 0x6000_2000,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3C40_0000, flashInstructions: 0x4200_0000..<0x4240_0000,
            ram: [0x3FCA_0000..<0x3FCE_0000, 0x4037_C000..<0x403C_0000]))
    /// ESP32-C3.
    public static let esp32c3 = Chip(
        "ESP32-C3", id: 5, magic: [0x6921_506F, 0x1B31_506F, 0x4881_606F, 0x4361_606F], mac: 0x6000_8844,
        spi: 0x6000_2000,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3C80_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x3FC8_0000..<0x3FCE_0000, 0x4037_C000..<0x403E_0000, 0x5000_0000..<0x5000_2000]))
    /// ESP32-C5.
    public static let esp32c5 = Chip(
        "ESP32-C5", id: 23, magic: [0x1101_406F, 0x63E1_406F, 0x5FD1_406F], mac: 0x600B_4844, spi: 0x6000_3000,
        bootloader: 0x2000,
        memory: MemoryMap(
            flashData: 0x4200_0000..<0x4400_0000, flashInstructions: 0x4200_0000..<0x4400_0000,
            ram: [0x4080_0000..<0x4086_0000, 0x5000_0000..<0x5000_4000]))
    /// ESP32-C6.
    public static let esp32c6 = Chip(
        "ESP32-C6", id: 13, magic: [0x2CE0_806F], mac: 0x600B_0844, spi: 0x6000_3000,
        memory: MemoryMap(
            flashData: 0x4280_0000..<0x4300_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000]))
    /// ESP32-H2.
    public static let esp32h2 = Chip(
        "ESP32-H2", id: 16, magic: [0xD7B7_3E80], mac: 0x600B_0844, spi: 0x6000_3000,
        memory: MemoryMap(
            flashData: 0x4280_0000..<0x4300_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000]))
    /// ESP32-P4.
    public static let esp32p4 = Chip(
        "ESP32-P4", id: 18, magic: [0, 0x0ADD_BAD0], mac: 0x5012_D044, spi: 0x5008_D000, bootloader: 0x2000,
        memory: MemoryMap(
            flashData: 0x4000_0000..<0x4C00_0000, flashInstructions: 0x4000_0000..<0x4C00_0000,
            ram: [0x4FF0_0000..<0x4FFA_0000, 0x5010_8000..<0x5011_0000]))

    /// All known chips.
    public static let all: [Chip] = [
        .esp32, .esp32s2, .esp32s3, .esp32c2, .esp32c3, .esp32c5, .esp32c6, .esp32h2, .esp32p4,
    ]

    /// The chip with this id in its image headers.
    public static func withID(_ id: some BinaryInteger) -> Chip? {
        all.first { $0.id == id }
    }

    /// The chip whose magic register holds `magic`, of those identified by it.
    public static func withMagic(_ magic: UInt32) -> Chip? {
        all.first { !$0.reportsChipID && $0.magicValues.contains(magic) }
    }
}
