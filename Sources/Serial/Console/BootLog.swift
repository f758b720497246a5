/// Recognises the output of ROM and bootloader at a normal start: the same lines at every boot, without information
/// about the sketch.
///
/// Sources: the ROM's boot lines (ESP32 TRM 4.1.3; esptool's "Boot Mode Selection", ESP32 and ESP32-S3); the log of
/// ESP-IDF v5's second stage bootloader and start-up code at level info and below.
public enum BootLog {
    /// The beginnings of the ROM's lines.
    private static let romPrefixes = [
        "ets Jun ", "ets Jul ", "ESP-ROM:", "Build:", "configsip: ", "SPIWP:0x", "clk_drv:0x", "mode:", "load:0x",
        "entry 0x", "ho ", "Saved PC:0x",
    ]

    /// The reset reasons of an intended start, by power or the EN pin. Every other reason shows that the firmware was
    /// interrupted.
    private static let ordinaryResets = ["(POWERON_RESET)", "(POWERON)", "(USB_UART_CHIP_RESET)"]

    /// The reset reason, if `line` is the ROM's line that reports it: number and name, such as `0xc (SW_CPU_RESET)`.
    ///
    /// - Returns: the reason, and true if the start was intended: by power or the EN pin.
    public static func reset(in line: String) -> (reason: String, isOnPurpose: Bool)? {
        guard line.hasPrefix("rst:0x"), let end = line.firstRange(of: "),boot:0x") else { return nil }
        return (
            line[..<end.lowerBound].dropFirst("rst:".count) + ")", ordinaryResets.contains { line.contains($0) }
        )
    }

    /// True if the ROM's line with the reset reason says that the chip starts its loader, not a program.
    public static func isDownload(_ line: String) -> Bool {
        reset(in: line) != nil && line.contains("DOWNLOAD")
    }

    /// The tags under which ESP-IDF logs before `app_main`.
    private static let logTags: Set<Substring> = [
        "boot", "boot.esp32", "boot.esp32s3", "boot.esp32c3", "boot.esp32c6", "esp_image", "cpu_start", "app_init",
        "efuse_init", "heap_init", "spi_flash", "main_task", "octal_psram", "quad_psram", "sleep_gpio", "sleep",
        "coexist",
    ]

    /// True if `line` is one of these lines; false for a reset reason other than power or EN.
    public static func contains(_ line: String) -> Bool {
        // A cheap check first: consoles have many lines.
        switch line.utf8.first {
        case UInt8(ascii: "r"):
            return reset(in: line)?.isOnPurpose ?? false
        case UInt8(ascii: "I"), UInt8(ascii: "D"), UInt8(ascii: "V"):
            return isLog(line)
        case 0x1B:
            // The colour of a log: ESC, `[`, and all up to `m`.
            guard let end = line.firstIndex(of: "m") else { return false }
            let text = line[line.index(after: end)...]
            return text.first.map { "IDV".contains($0) } == true && isLog(String(text))
        case UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "B"), UInt8(ascii: "c"), UInt8(ascii: "S"),
            UInt8(ascii: "m"), UInt8(ascii: "l"), UInt8(ascii: "h"):
            return romPrefixes.contains { line.utf8.starts(with: $0.utf8) } && isROM(line)
        default: return false
        }
    }

    /// True if a line with one of the prefixes comes from the ROM, not from a sketch that prints the same word.
    private static func isROM(_ line: String) -> Bool {
        if line.hasPrefix("mode:") { return line.contains(", clock div:") }
        if line.hasPrefix("ho ") { return line.contains(" tail ") && line.contains(" room ") }
        if line.hasPrefix("load:0x") { return line.contains(",len:") }
        // A sketch's own line has a space after the colon.
        if line.hasPrefix("Build:") { return !line.hasPrefix("Build: ") }
        return true
    }

    /// True if `line` has the form `I (123) tag: text` with one of the tags.
    private static func isLog(_ line: String) -> Bool {
        let rest = line.dropFirst()
        guard rest.hasPrefix(" ("), let end = rest.firstIndex(of: ")") else { return false }
        guard rest[rest.index(rest.startIndex, offsetBy: 2)..<end].allSatisfy(\.isASCIIDigit) else { return false }
        let text = rest[rest.index(after: end)...]
        guard text.hasPrefix(" "), let colon = text.firstIndex(of: ":") else { return false }
        return logTags.contains(text[text.index(after: text.startIndex)..<colon])
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
