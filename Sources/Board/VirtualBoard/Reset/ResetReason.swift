internal import CFirmwareChannel
internal import ESPChips
import MonotonicTime

/// The reason why an ESP32 started, as its ROM prints it (ESP-IDF `soc/reset_reasons.h`).
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
    /// Timer group 1's watchdog: ESP-IDF's interrupt watchdog, when its panic handler does not complete.
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

/// The cause of the end of a deep sleep: `esp_sleep_wakeup_cause_t`, and the pins.
struct WakeUp: Equatable {
    var cause: Int
    /// The pins of `CFC_WAKEUP_EXT1`: a bit for each pin that woke the chip.
    var pins: UInt64 = 0

    /// No deep sleep preceded the start.
    static let none = WakeUp(cause: CFC_WAKEUP_UNDEFINED)
    static let timer = WakeUp(cause: CFC_WAKEUP_TIMER)
}

extension cfc_sleep {
    /// A sleep that only a reset ends.
    static let endless: cfc_sleep = {
        var sleep = cfc_sleep()
        sleep.timer_ns = UInt64.max
        sleep.ext0_pin = -1
        return sleep
    }()

    /// The time at which the timer ends the sleep.
    func timerEnd(after start: MonotonicInstant) -> MonotonicInstant? {
        guard timer_ns <= UInt64(Int64.max) / 2 else { return nil }
        return start.advanced(by: .nanoseconds(Int64(timer_ns)))
    }

    /// The cause of a wake-up by the pins; `nil`: no wake-up. A pin that is not driven has neither level.
    func wakeUp(_ drive: (_ pin: Int) -> Int) -> WakeUp? {
        if ext0_pin >= 0, drive(Int(ext0_pin)) == (ext0_level == 0 ? CFC_PIN_LOW : CFC_PIN_HIGH) {
            return WakeUp(cause: CFC_WAKEUP_EXT0)
        }
        guard ext1_pins != 0 else { return nil }
        let wanted = ext1_mode == 0 ? CFC_PIN_LOW : CFC_PIN_HIGH
        let pins = (0..<64).filter { ext1_pins & 1 << UInt64($0) != 0 }
        let active = pins.filter { drive($0) == wanted }
        // ESP_EXT1_WAKEUP_ALL_LOW waits for all pins, ESP_EXT1_WAKEUP_ANY_HIGH for one.
        guard !active.isEmpty, ext1_mode != 0 || active.count == pins.count else { return nil }
        return WakeUp(cause: CFC_WAKEUP_EXT1, pins: active.reduce(0) { $0 | 1 << UInt64($1) })
    }
}

/// The contents of the RTC memory that a program leaves for the next start (`RTC_DATA_ATTR`, `RTC_NOINIT_ATTR`).
struct RetainedMemory {
    /// A part of it.
    struct Part {
        var fields: cfc_rtc_memory
        var bytes: [UInt8]

        var isNeverInitialized: Bool { fields.is_noinit != 0 }
    }

    private(set) var parts: [Part] = []

    /// Keeps a part; replaces the former contents of the same place.
    mutating func keep(_ fields: cfc_rtc_memory, _ bytes: [UInt8]) {
        parts.removeAll { $0.fields.offset == fields.offset && $0.fields.is_noinit == fields.is_noinit }
        parts.append(Part(fields: fields, bytes: bytes))
    }

    /// The memory that is kept after a reset. A power-on reset, which an ESP32 cannot distinguish from a reset by EN,
    /// keeps no memory; the bootloader initializes the rest, except after a deep sleep.
    func after(_ reason: ResetReason) -> RetainedMemory {
        var left = self
        switch reason {
        case .powerOn: left.parts = []
        case .deepSleep: break
        default: left.parts.removeAll { !$0.isNeverInitialized }
        }
        return left
    }
}
