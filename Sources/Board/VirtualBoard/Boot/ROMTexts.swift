import ESPChips

/// What the ROM of a chip prints when it starts.
///
/// The texts of the ESP32 (revision 3, "Jul 29 2019") and of the ESP32-C3 ("Feb 7 2021") are those of genuine ROMs, which were
/// executed and read. For the other chips only the banner and the strapping are known, from the logs in Espressif's documents
/// and esptool's; the rest is the ESP32-C3's, with its line numbers.
struct ROMTexts {
    /// The first lines.
    let banner: [String]
    /// The strapping at a boot from flash.
    let flashBoot: String
    /// The strapping in download mode.
    let downloadBoot: String

    /// The texts of `chip`.
    init(_ chip: Chip) {
        switch chip {
        case .esp32s2:
            self.init(
                "ESP-ROM:esp32s2-rc4-20191025", "Build:Oct 25 2019", "0x8 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0/1/SPI))")
        case .esp32s3:
            self.init(
                "ESP-ROM:esp32s3-20210327", "Build:Mar 27 2021", "0x8 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0))")
        case .esp32c2:
            self.init(
                "ESP-ROM:esp8684-api2-20220127", "Build:Jan 27 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(UART0))")
        case .esp32c3:
            self.init(
                "ESP-ROM:esp32c3-api1-20210207", "Build:Feb  7 2021", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0/1))")
        case .esp32c5:
            self.init(
                "ESP-ROM:esp32c5-eco2-20250121", "Build:Jan 21 2025", "0x18 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0/SDIO))")
        case .esp32c6:
            self.init(
                "ESP-ROM:esp32c6-20220919", "Build:Sep 19 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0/SDIO_REI_FEO))")
        case .esp32h2:
            self.init(
                "ESP-ROM:esp32h2-20221101", "Build:Nov  1 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0))")
        case .esp32p4:
            self.init(
                "ESP-ROM:esp32p4-eco1-20240205", "Build:Feb  5 2024", "0x30f (SPI_FAST_FLASH_BOOT)",
                "0x307 (DOWNLOAD(USB/UART0/SPI))")
        default:
            self.init(
                "ets Jul 29 2019 12:21:46", "", "0x13 (SPI_FAST_FLASH_BOOT)",
                "0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))")
        }
    }

    private init(_ name: String, _ build: String, _ flashBoot: String, _ downloadBoot: String) {
        banner = [name, build]
        self.flashBoot = flashBoot
        self.downloadBoot = downloadBoot
    }

    /// The line with reset reason and strapping.
    func reasonLine(_ reason: ResetReason, _ mode: ResetCircuit.BootMode, _ chip: Chip) -> String {
        "rst:\(reason.description(on: chip)),boot:\(mode == .flash ? flashBoot : downloadBoot)"
    }
}
