import ESPChips

/// What the ROM of a chip prints when it starts.
struct ROMTexts {
    /// The first lines.
    let banner: [String]
    /// The reset reasons' names, where they differ from the ESP32's.
    let powerOn: String
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
                "ets Jun  8 2016 00:22:57", "", "0x13 (SPI_FAST_FLASH_BOOT)",
                "0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))", powerOn: "POWERON_RESET")
        }
    }

    private init(
        _ name: String, _ build: String, _ flashBoot: String, _ downloadBoot: String, powerOn: String = "POWERON"
    ) {
        banner = [name, build]
        self.powerOn = powerOn
        self.flashBoot = flashBoot
        self.downloadBoot = downloadBoot
    }

    /// The line with reset reason and strapping.
    func reasonLine(_ reason: ResetReason, _ mode: ResetCircuit.BootMode) -> String {
        let strapping = mode == .flash ? flashBoot : downloadBoot
        guard reason == .powerOn else { return "rst:\(reason),boot:\(strapping)" }
        return "rst:0x1 (\(powerOn)),boot:\(strapping)"
    }
}
