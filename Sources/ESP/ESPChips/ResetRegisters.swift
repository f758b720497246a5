/// The registers with which a flasher resets a chip without its EN pin, and stops its watchdogs.
public struct ResetRegisters: Hashable, Sendable {
    /// The RTC watchdog: CONFIG0 (enable, stages), CONFIG1 (time of stage 0), WPROTECT.
    public let config: UInt32
    /// The time of the first stage, in slow clock cycles.
    public let time: UInt32
    /// Write ``watchdogKey`` here to unlock the watchdog's registers, 0 to lock them.
    public let writeProtect: UInt32
    /// The value of ``config`` that lets stage 0 reset the chip and its RTC domain, so that it samples its boot pins again.
    public let enable: UInt32
    /// Whether a flasher resets the chip with the watchdog; otherwise the registers only serve to stop it.
    public let canReset: Bool
    /// The super watchdog; `nil` where a flasher need not stop it.
    public let superWatchdog: SuperWatchdog?

    /// The super watchdog, which runs while the chip is on USB.
    public struct SuperWatchdog: Hashable, Sendable {
        /// SWD_CONF.
        public let config: UInt32
        /// The bit of ``config`` that feeds it automatically.
        public let automaticFeed: UInt32
        /// Write ``key`` here to unlock, 0 to lock.
        public let writeProtect: UInt32
        /// The key of ``writeProtect``.
        public let key: UInt32
    }

    /// Unlocks the watchdog's registers.
    public static let watchdogKey: UInt32 = 0x50D8_3AA1

    init(
        _ config: UInt32, protect: UInt32, enable: UInt32 = 1 << 31 | 5 << 28 | 1 << 8 | 2, canReset: Bool = true,
        superWatchdog: SuperWatchdog? = nil
    ) {
        self.enable = enable
        self.config = config
        time = config + 4
        writeProtect = protect
        self.canReset = canReset
        self.superWatchdog = superWatchdog
    }
}

/// How a chip tells whether it talks by USB, and what a USB download mode needs.
public struct USBRegisters: Hashable, Sendable {
    /// The word of the ROM's memory with the number of the channel in use; `nil`: not known, and the port's USB ids
    /// must tell.
    public let channel: UInt32?
    /// The number of the USB-OTG controller in ``channel``.
    public let otgChannel: UInt32?
    /// The number of the USB-Serial-JTAG controller in ``channel``.
    public let serialJTAGChannel: UInt32?
    /// The register that forces download mode at the next reset, and its bit; `nil`: none.
    public let forceDownload: RegisterField?

    init(
        channel: UInt32? = nil, otg: UInt32? = nil, serialJTAG: UInt32? = nil, forceDownload: RegisterField? = nil
    ) {
        self.channel = channel
        otgChannel = otg
        serialJTAGChannel = serialJTAG
        self.forceDownload = forceDownload
    }
}
