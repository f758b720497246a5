import CFirmwareChannel
import MonotonicTime

/// Why a deep sleep has ended: `esp_sleep_wakeup_cause_t`, and the pins.
struct WakeUp: Equatable {
    var cause: Int
    /// Of `CFC_WAKEUP_EXT1`: a bit for each pin that woke the chip.
    var pins: UInt64 = 0

    /// No deep sleep came before.
    static let none = WakeUp(cause: CFC_WAKEUP_UNDEFINED)
    static let timer = WakeUp(cause: CFC_WAKEUP_TIMER)
}

extension cfc_sleep {
    /// Without anything that ends it but a reset.
    static let endless: cfc_sleep = {
        var sleep = cfc_sleep()
        sleep.timer_ns = UInt64.max
        sleep.ext0_pin = -1
        return sleep
    }()

    /// When the timer ends it.
    func timerEnd(after start: MonotonicInstant) -> MonotonicInstant? {
        guard timer_ns <= UInt64(Int64.max) / 2 else { return nil }
        return start.advanced(by: .nanoseconds(Int64(timer_ns)))
    }

    /// What wakes the chip by its pins; `nil`: nothing. A pin that nothing drives has neither level.
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
