import ESPChips

/// Why an ESP32 started, as its ROM prints it (ESP-IDF `soc/reset_reasons.h`).
public struct ResetReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The ROM's number.
    public let rawValue: UInt8

    /// A reason by its number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Power-on, or EN was low: the ESP32 does not distinguish them.
    public static let powerOn = ResetReason(rawValue: 0x1)
    /// Software reset of the chip, also by a bootloader that finds no application.
    public static let software = ResetReason(rawValue: 0x3)
    /// The end of a deep sleep.
    public static let deepSleep = ResetReason(rawValue: 0x5)
    /// Timer group 1's watchdog: ESP-IDF's interrupt watchdog, when its panic handler does not come to its end.
    public static let timerGroup1Watchdog = ResetReason(rawValue: 0x8)
    /// Software reset of the CPU: `esp_restart`, and after a panic.
    public static let softwareCPU = ResetReason(rawValue: 0xC)
    /// The RTC watchdog, which guards the boot.
    public static let rtcWatchdog = ResetReason(rawValue: 0x10)

    /// The names in the ROM of the ESP32.
    private static let names: [ResetReason: String] = [
        .powerOn: "POWERON_RESET", .software: "SW_RESET", .deepSleep: "DEEPSLEEP_RESET",
        .timerGroup1Watchdog: "TG1WDT_SYS_RESET", .softwareCPU: "SW_CPU_RESET", .rtcWatchdog: "RTCWDT_RTC_RESET",
    ]

    /// The names in the ROM of the ESP32-C3.
    private static let newerNames: [ResetReason: String] = [
        .powerOn: "POWERON", .software: "RTC_SW_SYS_RST", .deepSleep: "DSLEEP", .timerGroup1Watchdog: "TG1WDT_SYS_RST",
        .softwareCPU: "RTC_SW_CPU_RST", .rtcWatchdog: "RTCWDT_RTC_RST",
    ]

    /// The ESP32's number and name, e.g. `0x1 (POWERON_RESET)`.
    public var description: String { description(on: .esp32) }

    /// The number and name as the ROM of `chip` prints them.
    func description(on chip: Chip) -> String {
        let name = chip == .esp32 ? Self.names[self] ?? "NO_MEAN" : Self.newerNames[self] ?? "N/A"
        return "0x\(String(rawValue, radix: 16)) (\(name))"
    }
}
