import CFirmwareChannel
import MonotonicTime

extension cfc_start {
    /// The first message to a sketch.
    ///
    /// - Parameters:
    ///   - reason: the ROM's reset reason.
    ///   - former: how the previous run ended, which ESP-IDF keeps over a reset and the ROM does not know.
    init(
        _ reason: ResetReason, after former: ApplicationEnd?, _ identity: ChipIdentity, seed: UInt64,
        now: MonotonicInstant
    ) {
        self.init()
        let espReason =
            switch (reason, former) {
            case (.softwareCPU, .exception), (.softwareCPU, .abort), (.softwareCPU, .assertion),
                (.softwareCPU, .stackOverflow):
                CFC_RESET_PANIC
            case (.softwareCPU, .taskWatchdog): CFC_RESET_TASK_WATCHDOG
            case (.softwareCPU, _): CFC_RESET_SOFTWARE
            case (.powerOn, _): CFC_RESET_POWER_ON
            case (.timerGroup1Watchdog, _): CFC_RESET_INTERRUPT_WATCHDOG
            case (.rtcWatchdog, _): CFC_RESET_WATCHDOG
            default: CFC_RESET_UNKNOWN
            }
        reset_reason = UInt32(espReason)
        flash_size = UInt32(VirtualBoard.flashSize)
        timer_zero_ns = UInt64(now.nanoseconds)
        random_seed = seed
        cpu_frequency_mhz = 240
        chip_revision = 300
        chip_cores = 2
        withUnsafeMutableBytes(of: &mac) { $0.copyBytes(from: identity.macAddress.prefix(6)) }
        withUnsafeMutableBytes(of: &chip_model) { $0.copyBytes(from: "ESP32-D0WD-V3".utf8) }
    }
}
