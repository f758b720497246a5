/// The chips with RISC-V cores.
extension Chip {
    /// ESP32-C2.
    public static let esp32c2 = Chip(
        "ESP32-C2", id: 12, magic: [0x6F51_306F, 0x7C41_A06F], mac: 0x6000_8840, spi: 0x6000_2000,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3C40_0000, flashInstructions: 0x4200_0000..<0x4240_0000,
            ram: [0x3FCA_0000..<0x3FCE_0000, 0x4037_C000..<0x403C_0000]),
        efuses: EfuseMap(
            base: 0x6000_8830, major: RegisterField(0x6000_8844, 20, 2), minor: RegisterField(0x6000_8844, 16, 4),
            package: RegisterField(0x6000_8844, 22, 3), flash: RegisterField(0x6000_885C, 29, 3),
            encryptionCount: RegisterField(0x6000_8830, 7, 3),
            encryptedDownloadDisabled: RegisterField(0x6000_8830, 6, 1), secureBoot: RegisterField(0x6000_8830, 21, 1)),
        crystal: .measured([40, 26]), reset: ResetRegisters(0x6000_8084, protect: 0x6000_809C),
        frequencies: [(60, 0xF), (30, 0), (20, 1), (15, 2)])
    /// ESP32-C3.
    public static let esp32c3 = Chip(
        "ESP32-C3", id: 5, magic: [0x6921_506F, 0x1B31_506F, 0x4881_606F, 0x4361_606F], mac: 0x6000_8844,
        spi: 0x6000_2000, inflatesWithinRegion: true,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3C80_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x3FC8_0000..<0x3FCE_0000, 0x4037_C000..<0x403E_0000, 0x5000_0000..<0x5000_2000]),
        efuses: EfuseMap(
            controller: 0x6000_8800, major: RegisterField(0x6000_8858, 24, 2),
            minor: RegisterField(0x6000_8850, 18, 3).and(0x6000_8858, 23, 1),
            package: RegisterField(0x6000_8850, 21, 3),
            flash: RegisterField(0x6000_8850, 27, 3)),
        reset: ResetRegisters(
            0x6000_8090, protect: 0x6000_80A8,
            superWatchdog: .init(
                config: 0x6000_80AC, automaticFeed: 1 << 31, writeProtect: 0x6000_80B0, key: 0x8F1D_312A)),
        usb: USBRegisters())
    /// ESP32-C5.
    public static let esp32c5 = Chip(
        "ESP32-C5", id: 23, magic: [0x1101_406F, 0x63E1_406F, 0x5FD1_406F], mac: 0x600B_4844, spi: 0x6000_3000,
        bootloader: 0x2000,
        memory: MemoryMap(
            flashData: 0x4200_0000..<0x4400_0000, flashInstructions: 0x4200_0000..<0x4400_0000,
            ram: [0x4080_0000..<0x4086_0000, 0x5000_0000..<0x5000_4000]),
        efuses: EfuseMap(
            controller: 0x600B_4800, major: RegisterField(0x600B_484C, 4, 2), minor: RegisterField(0x600B_484C, 0, 4),
            package: RegisterField(0x600B_484C, 26, 3), flash: RegisterField(0x600B_484C, 13, 3),
            psram: RegisterField(0x600B_484C, 19, 3), countShift: 16, secureBootShift: 25, purposeShift: 22,
            purposeWidth: 5),
        crystal: .measured([48, 40]),
        reset: ResetRegisters(0x600B_1C00, protect: 0x600B_1C18, superWatchdog: .lowPower(0x600B_1C1C)),
        usb: USBRegisters(), frequencies: [(80, 0xF), (40, 0), (20, 2)])
    /// ESP32-C6.
    public static let esp32c6 = Chip(
        "ESP32-C6", id: 13, magic: [0x2CE0_806F], mac: 0x600B_0844, spi: 0x6000_3000,
        memory: MemoryMap(
            flashData: 0x4280_0000..<0x4300_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000]),
        efuses: EfuseMap(
            controller: 0x600B_0800, major: RegisterField(0x600B_0850, 22, 2), minor: RegisterField(0x600B_0850, 18, 4),
            package: RegisterField(0x600B_0850, 24, 3), flash: RegisterField(0x600B_0854, 0, 3)),
        reset: ResetRegisters(
            0x600B_1C00, protect: 0x600B_1C18, canReset: false, superWatchdog: .lowPower(0x600B_1C1C)),
        usb: USBRegisters(),
        // The ROM divides the clock twice at 80 MHz, so both frequencies use the code of 40 MHz.
        frequencies: [(80, 0), (40, 0), (20, 2)])
    /// ESP32-H2.
    public static let esp32h2 = Chip(
        "ESP32-H2", id: 16, magic: [0xD7B7_3E80], mac: 0x600B_0844, spi: 0x6000_3000,
        memory: MemoryMap(
            flashData: 0x4280_0000..<0x4300_0000, flashInstructions: 0x4200_0000..<0x4280_0000,
            ram: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000]),
        efuses: EfuseMap(
            controller: 0x600B_0800, major: RegisterField(0x600B_0850, 21, 2), minor: RegisterField(0x600B_0850, 18, 3),
            package: RegisterField(0x600B_0854, 0, 3), flash: RegisterField(0x600B_0850, 24, 3)),
        crystal: .fixed(32),
        reset: ResetRegisters(
            0x600B_1C00, protect: 0x600B_1C1C, canReset: false, superWatchdog: .lowPower(0x600B_1C20)),
        usb: USBRegisters(),
        frequencies: [(48, 0xF), (24, 0), (16, 1), (12, 2)])
    /// ESP32-P4.
    public static let esp32p4 = Chip(
        "ESP32-P4", id: 18, magic: [0, 0x0ADD_BAD0], mac: 0x5012_D044, spi: 0x5008_D000, bootloader: 0x2000,
        memory: MemoryMap(
            flashData: 0x4000_0000..<0x4C00_0000, flashInstructions: 0x4000_0000..<0x4C00_0000,
            ram: [0x4FF0_0000..<0x4FFA_0000, 0x5010_8000..<0x5011_0000]),
        efuses: EfuseMap(
            controller: 0x5012_D000, major: RegisterField(0x5012_D04C, 4, 2).and(0x5012_D04C, 23, 1),
            minor: RegisterField(0x5012_D04C, 0, 4), package: RegisterField(0x5012_D04C, 20, 3)),
        uartClockDivider: 0x500C_A014, strapping: 0x500E_0038,
        reset: ResetRegisters(0x5011_6000, protect: 0x5011_6018, superWatchdog: .lowPower(0x5011_601C)),
        usb: USBRegisters(
            channel: 0x4FF3_FEC8, otg: 5, serialJTAG: 6, forceDownload: RegisterField(0x5011_0008, 2, 1)))
}

extension ResetRegisters.SuperWatchdog {
    /// The watchdog of the low-power system: two adjacent registers, with the watchdog's key.
    static func lowPower(_ config: UInt32) -> Self {
        Self(
            config: config, automaticFeed: 1 << 18, writeProtect: config + 4, key: ResetRegisters.watchdogKey)
    }
}

/// The chips with Xtensa cores.
extension Chip {
    /// ESP32.
    public static let esp32 = Chip(
        "ESP32", id: 0, magic: [0x00F0_1D83], securityInfo: .none, mac: 0x3FF5_A004, spi: 0x3FF4_2000, layout: .esp32,
        bootloader: 0x1000, acceptsEncryptedWord: false,
        memory: MemoryMap(
            flashData: 0x3F40_0000..<0x3F80_0000, flashInstructions: 0x400D_0000..<0x4040_0000,
            ram: [
                0x3FFA_E000..<0x4000_0000, 0x3FF8_0000..<0x3FF8_2000, 0x4007_0000..<0x400C_0000,
                0x400C_0000..<0x400C_2000, 0x5000_0000..<0x5000_2000,
            ]),
        efuses: EfuseMap(
            base: 0x3FF5_A000, major: RegisterField(0x3FF5_A00C, 15, 1).and(0x3FF5_A014, 20, 1),
            minor: RegisterField(0x3FF5_A014, 24, 2), package: RegisterField(0x3FF5_A00C, 9, 3).and(0x3FF5_A00C, 2, 1),
            encryptionCount: RegisterField(0x3FF5_A000, 20, 7),
            encryptedDownloadDisabled: RegisterField(0x3FF5_A018, 7, 1), secureBoot: RegisterField(0x3FF5_A018, 4, 2)),
        crystal: .measured([40, 26]), uartClockDivider: 0x3FF4_0014, strapping: 0x3FF4_4038,
        // Stage 4: RTC reset; the lengths of the reset signals are the registers' defaults.
        reset: ResetRegisters(0x3FF4_808C, protect: 0x3FF4_80A4, enable: 1 << 31 | 4 << 28 | 1 << 14 | 1 << 11),
        encryptedWriteAlignment: 32)
    /// ESP32-S2.
    public static let esp32s2 = Chip(
        "ESP32-S2", id: 2, magic: [0x0000_07C6], securityInfo: .withoutChipID, mac: 0x3F41_A044, spi: 0x3F40_2000,
        bootloader: 0x1000,
        memory: MemoryMap(
            flashData: 0x3F00_0000..<0x3F3F_0000, flashInstructions: 0x4008_0000..<0x40B8_0000,
            ram: [
                0x3FFB_0000..<0x4000_0000, 0x3FF9_E000..<0x3FFA_0000, 0x4002_0000..<0x4007_2000,
                0x5000_0000..<0x5000_2000,
            ]),
        efuses: EfuseMap(
            controller: 0x3F41_A000, major: RegisterField(0x3F41_A050, 18, 2),
            minor: RegisterField(0x3F41_A054, 4, 3).and(0x3F41_A050, 20, 1), package: RegisterField(0x3F41_A054, 0, 4),
            flash: RegisterField(0x3F41_A050, 21, 4), psram: RegisterField(0x3F41_A050, 28, 4),
            encryptedDownloadShift: 19),
        uartClockDivider: 0x3F40_0014, strapping: 0x3F40_4038,
        reset: ResetRegisters(0x3F40_8094, protect: 0x3F40_80AC),
        usb: USBRegisters(channel: 0x3FFF_FD14, otg: 2, forceDownload: RegisterField(0x3F40_8128, 0, 1)))
    /// ESP32-S3.
    public static let esp32s3 = Chip(
        "ESP32-S3", id: 9, magic: [0x9], mac: 0x6000_7044, spi: 0x6000_2000,
        memory: MemoryMap(
            flashData: 0x3C00_0000..<0x3E00_0000, flashInstructions: 0x4200_0000..<0x4400_0000,
            ram: [
                0x3FC8_8000..<0x3FD0_0000, 0x4037_0000..<0x403E_0000, 0x600F_E000..<0x6010_0000,
                0x5000_0000..<0x5000_2000,
            ]),
        efuses: EfuseMap(
            controller: 0x6000_7000, major: RegisterField(0x6000_7058, 24, 2),
            minor: RegisterField(0x6000_7050, 18, 3).and(0x6000_7058, 23, 1),
            package: RegisterField(0x6000_7050, 21, 3),
            flash: RegisterField(0x6000_7050, 27, 3), psram: RegisterField(0x6000_7054, 3, 2).and(0x6000_7058, 19, 1)),
        strapping: 0x6000_4038,
        reset: ResetRegisters(
            0x6000_8098, protect: 0x6000_80B0,
            superWatchdog: .init(
                config: 0x6000_80B4, automaticFeed: 1 << 31, writeProtect: 0x6000_80B8, key: 0x8F1D_312A)),
        usb: USBRegisters(
            channel: 0x3FCE_F14C, otg: 3, serialJTAG: 4, forceDownload: RegisterField(0x6000_812C, 0, 1)))
}
