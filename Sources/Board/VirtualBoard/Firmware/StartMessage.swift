import CFirmwareChannel
import MonotonicTime

extension cfc_start {
    /// The first message to a sketch.
    ///
    /// - Parameters:
    ///   - reason: the ROM's reset reason.
    ///   - former: how the previous run ended, which ESP-IDF keeps over a reset and the ROM does not know.
    ///   - wakeUp: what has ended a deep sleep.
    init(
        _ reason: ResetReason, after former: ApplicationEnd?, _ wakeUp: WakeUp, _ identity: ChipIdentity,
        seed: UInt64, now: MonotonicInstant
    ) {
        self.init()
        reset_reason = UInt32(Self.espReason(reason, after: former))
        wakeup_cause = UInt32(wakeUp.cause)
        wakeup_pins = wakeUp.pins
        flash_size = UInt32(VirtualBoard.flashSize)
        timer_zero_ns = UInt64(now.nanoseconds)
        random_seed = seed
        cpu_frequency_mhz = 240
        chip_revision = 300
        chip_cores = 2
        withUnsafeMutableBytes(of: &mac) { $0.copyBytes(from: identity.macAddress.prefix(6)) }
        withUnsafeMutableBytes(of: &chip_model) { $0.copyBytes(from: "ESP32-D0WD-V3".utf8) }
    }

    /// `esp_reset_reason_t` (ESP-IDF, `port/soc/esp32/reset_reason.c`).
    private static func espReason(_ reason: ResetReason, after former: ApplicationEnd?) -> Int {
        switch reason {
        case .powerOn: CFC_RESET_POWER_ON
        case .deepSleep: CFC_RESET_DEEP_SLEEP
        case .timerGroup1Watchdog: CFC_RESET_INTERRUPT_WATCHDOG
        case .rtcWatchdog: CFC_RESET_WATCHDOG
        case .software, .softwareCPU:
            switch former {
            case .exception, .abort, .assertion, .stackOverflow, .panic, .sanitizer: CFC_RESET_PANIC
            case .taskWatchdog: CFC_RESET_TASK_WATCHDOG
            case .interruptWatchdog: CFC_RESET_INTERRUPT_WATCHDOG
            case .brownout: CFC_RESET_BROWNOUT
            case .restart, .deepSleep, .hang, nil: CFC_RESET_SOFTWARE
            }
        default: CFC_RESET_UNKNOWN
        }
    }
}
