import Console
import Testing

@Suite("Boot logs")
struct BootLogTests {
    @Test(
        "are the lines that ROM and bootloader print at every start",
        arguments: [
            "ets Jun  8 2016 00:22:57", "ets Jul 29 2019 12:21:46", "ESP-ROM:esp32c3-api1-20210207",
            "load:0x3fcd5810,len:0xe3c", "\u{1B}[0;32mI (29) boot: chip revision: v0.4\u{1B}[0m",
            "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)",
            "configsip: 0, SPIWP:0xee", "clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00",
            "mode:DIO, clock div:1", "load:0x3ffae000,len:108", "ho 0 tail 12 room 4", "entry 0x400805e4",
            "ESP-ROM:esp32s3-20210327", "Build:Mar 27 2021", "rst:0x1 (POWERON),boot:0x8 (SPI_FAST_FLASH_BOOT)",
            "SPIWP:0xee", "I (27) boot: ESP-IDF v5.5 2nd stage bootloader", "I (30) boot.esp32: SPI Speed : 80MHz",
            "I (401) main_task: Calling app_main()", "D (30) esp_image: reading image header",
        ])
    func isPart(line: String) {
        #expect(BootLog.contains(line))
    }

    @Test(
        "are not a sketch's lines, errors, or resets that nobody asked for",
        arguments: [
            "rst:0xc (RTC_SW_CPU_RST),boot:0xc (SPI_FAST_FLASH_BOOT)", "rst:0x3 (RTC_SW_SYS_RST),boot:0xc",
            "rst:0x7 (TG0WDT_SYS_RST),boot:0xc (SPI_FAST_FLASH_BOOT)", "rst:0x10 (RTCWDT_RTC_RST),boot:0xc",
            "\u{1B}[0;31mE (40) boot: Factory app partition is not bootable\u{1B}[0m", "\u{1B}[0;32mI (9) lamp: on",
            "\u{1B}[", "rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)", "rst:0x8 (TG1WDT_SYS_RESET),boot:0x13",
            "E (30) boot: Factory app partition is not bootable", "W (30) spi_flash: Detected size(8192k) larger",
            "I (1200) lamp: on", "I am here", "I (x) boot: y", "mode: blink", "load: 40 %", "entry", "Build: 12",
            "ho ho ho", "", "I (12) boot", "I (12", "Sending response:   04",
        ])
    func isNoPart(line: String) {
        #expect(!BootLog.contains(line))
    }
}
