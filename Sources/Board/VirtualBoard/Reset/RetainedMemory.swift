import CFirmwareChannel

/// What a program leaves in the RTC memory for the next start (`RTC_DATA_ATTR`, `RTC_NOINIT_ATTR`).
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

    /// What is left after a reset. The power-on reset, which an ESP32 cannot tell from one by EN, leaves nothing; the
    /// bootloader initializes the rest, except after a deep sleep.
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
