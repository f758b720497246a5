internal import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The settings of a tty.
enum LineSettings {
    /// Raw mode: no echo, no signals, 8N1; RTS/CTS flow control or none.
    ///
    /// - Returns: 0, or the `errno`.
    static func makeRaw(_ descriptor: Int32, hasHardwareFlowControl: Bool = false) -> Int32 {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return errno }
        cfmakeraw(&settings)
        settings.c_cflag &= ~tcflag_t(CSIZE | PARENB | CSTOPB)
        #if canImport(Glibc)
            let flowControl = tcflag_t(CRTSCTS)
        #else
            let flowControl = tcflag_t(CCTS_OFLOW | CRTS_IFLOW)
        #endif
        settings.c_cflag &= ~flowControl
        if hasHardwareFlowControl { settings.c_cflag |= flowControl }
        // Without HUPCL the modem lines keep their state when the port is closed, so that closing does not reset the
        // board.
        settings.c_cflag &= ~tcflag_t(HUPCL)
        settings.c_cflag |= tcflag_t(CS8 | CLOCAL | CREAD)
        return tcsetattr(descriptor, TCSANOW, &settings) == 0 ? 0 : errno
    }

    #if canImport(Glibc)
        /// `struct termios2` of Linux, which the C library does not declare: it accepts any rate as a number.
        private struct Termios2 {
            var inputFlags: UInt32 = 0
            var outputFlags: UInt32 = 0
            var controlFlags: UInt32 = 0
            var localFlags: UInt32 = 0
            /// Line discipline and 19 control characters.
            var characters: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)
            var inputRate: UInt32 = 0
            var outputRate: UInt32 = 0
        }

        // asm-generic/termbits.h and asm-generic/ioctls.h
        private static let getSettings: UInt = 0x802C_542A
        private static let setSettingsAfterOutput: UInt = 0x402C_542C
        private static let rateMask: UInt32 = 0o010017
        private static let rateIsNumber: UInt32 = 0o010000

        /// Sets the rate after pending output has been sent; blocks until then.
        ///
        /// - Returns: 0, or the `errno`.
        static func setRate(_ rate: Int, _ descriptor: Int32) -> Int32 {
            guard let rate = UInt32(exactly: rate), rate > 0 else { return EINVAL }
            var settings = Termios2()
            guard ioctl(descriptor, getSettings, &settings) == 0 else { return errno }
            settings.controlFlags = settings.controlFlags & ~rateMask | rateIsNumber
            // The input rate follows the output rate when its own bits are 0.
            settings.controlFlags &= ~(rateMask << 16)
            settings.inputRate = rate
            settings.outputRate = rate
            return ioctl(descriptor, setSettingsAfterOutput, &settings) == 0 ? 0 : errno
        }

        /// The rate; `nil` if the descriptor is not a tty.
        static func rate(_ descriptor: Int32) -> Int? {
            var settings = Termios2()
            guard ioctl(descriptor, getSettings, &settings) == 0 else { return nil }
            return settings.outputRate > 0 ? Int(settings.outputRate) : nil
        }
    #else
        /// IOKit/serial/ioss.h: `IOSSIOSPEED` accepts any rate as a number.
        private static let setSpeed: UInt = 0x8008_5402

        /// Sets the rate after pending output has been sent; blocks until then.
        ///
        /// - Returns: 0, or the `errno`.
        static func setRate(_ rate: Int, _ descriptor: Int32) -> Int32 {
            guard rate > 0 else { return EINVAL }
            _ = tcdrain(descriptor)
            var speed = speed_t(rate)
            return ioctl(descriptor, setSpeed, &speed) == 0 ? 0 : errno
        }

        /// The rate; `nil` if the descriptor is not a tty.
        static func rate(_ descriptor: Int32) -> Int? {
            var settings = termios()
            guard tcgetattr(descriptor, &settings) == 0 else { return nil }
            let speed = cfgetospeed(&settings)
            return speed > 0 ? Int(speed) : nil
        }
    #endif

    #if canImport(Glibc)
        /// The beginning of `struct serial_struct` of linux/serial.h, and room for the rest.
        private struct SerialStruct {
            var type: Int32 = 0
            var line: Int32 = 0
            var port: UInt32 = 0
            var irq: Int32 = 0
            var flags: Int32 = 0
            var rest: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
        }

        // linux/tty_flags.h: bit 13.
        private static let lowLatency: Int32 = 1 << 13

        /// Asks the driver to deliver bytes without waiting for more; FTDI's reduces its latency timer from 16 ms to
        /// 1 ms. Drivers that have no such setting refuse, which is not an error.
        static func setLowLatency(_ descriptor: Int32) {
            var serial = SerialStruct()
            guard ioctl(descriptor, UInt(TIOCGSERIAL), &serial) == 0, serial.flags & lowLatency == 0 else { return }
            serial.flags |= lowLatency
            _ = ioctl(descriptor, UInt(TIOCSSERIAL), &serial)
        }
    #else
        /// IOKit/serial/ioss.h: `IOSSDATALAT`, the latency of received bytes in microseconds.
        private static let setLatency: UInt = 0x8008_5400

        /// Asks the driver to deliver bytes without waiting for more.
        static func setLowLatency(_ descriptor: Int32) {
            var microseconds: UInt = 1000
            _ = ioctl(descriptor, setLatency, &microseconds)
        }
    #endif

    /// The current modem lines; `nil` where the tty has none.
    static func modemBits(_ descriptor: Int32) -> Int32? {
        var bits: Int32 = 0
        return ioctl(descriptor, UInt(TIOCMGET), &bits) == 0 ? bits : nil
    }

    /// Sets DTR and RTS in one step, so that a board sees no intermediate state.
    ///
    /// - Returns: 0, or the `errno`.
    static func setModemLines(_ lines: ModemLines, _ descriptor: Int32) -> Int32 {
        guard var bits = modemBits(descriptor) else { return errno }
        bits &= ~(Int32(TIOCM_DTR) | Int32(TIOCM_RTS))
        if lines.dtr { bits |= Int32(TIOCM_DTR) }
        if lines.rts { bits |= Int32(TIOCM_RTS) }
        return ioctl(descriptor, UInt(TIOCMSET), &bits) == 0 ? 0 : errno
    }
}
