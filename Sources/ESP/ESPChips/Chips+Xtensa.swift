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
