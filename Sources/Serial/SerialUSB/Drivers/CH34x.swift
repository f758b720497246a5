package import SerialPort

/// WCH CH340 and CH341. No public document of the vendor lists the requests; they are those that Linux' and FreeBSD's
/// drivers send.
package struct CH34x: BridgeDriver {
    private enum Request {
        static let readVersion: UInt8 = 0x5F
        static let writeRegister: UInt8 = 0x9A
        static let serialInit: UInt8 = 0xA1
        static let modemControl: UInt8 = 0xA4
    }

    private static let toDevice: UInt8 = 0x40
    private static let fromDevice: UInt8 = 0xC0
    /// Registers are written in pairs: the first is in the low byte.
    private static let divisorAndPrescaler: UInt16 = 0x1312
    private static let lineControl: UInt16 = 0x2518
    /// Receiver and transmitter enabled, 8 data bits, no parity, 1 stop bit.
    private static let enabled8N1: UInt16 = 0x00C3
    /// From this version on, line control is in register 0x18.
    private static let versionWithLineControl: UInt8 = 0x30
    /// From this version on, bit 7 of the prescaler makes the chip send at once instead of filling a packet.
    private static let versionWithImmediateBit: UInt8 = 0x28

    private var version: UInt8 = 0x30
    private let interface: UInt8
    package let endpoints: BulkPair

    package init(interface: UInt8, endpoints: BulkPair) {
        self.interface = interface
        self.endpoints = endpoints
    }

    package var name: String { "CH340" }
    package var traits: PortTraits { PortTraits(highestBaudRate: 2_000_000) }
    package var interfaces: [UInt8] { [interface] }

    package var inquiry: ControlTransfer? {
        ControlTransfer(requestType: Self.fromDevice, request: Request.readVersion, answerLength: 2)
    }

    package mutating func learn(_ answer: [UInt8]) {
        if let number = answer.first { version = number }
    }

    package var start: [ControlTransfer] {
        var result = [request(Request.serialInit)]
        if version >= Self.versionWithLineControl {
            result.append(request(Request.writeRegister, value: Self.lineControl, index: Self.enabled8N1))
        }
        return result + [setLines(ModemLines(dtr: false, rts: false))]
    }

    package func configure(rate: Int) -> [ControlTransfer]? {
        guard let clock = Clock(rate: rate) else { return nil }
        let immediate: UInt16 = version >= Self.versionWithImmediateBit ? 0x80 : 0
        var result = [
            request(Request.writeRegister, value: Self.divisorAndPrescaler, index: clock.registers | immediate)
        ]
        // The chip forgets line control at a change of the rate.
        if version >= Self.versionWithLineControl {
            result.append(request(Request.writeRegister, value: Self.lineControl, index: Self.enabled8N1))
        }
        return result
    }

    package func setLines(_ lines: ModemLines) -> ControlTransfer {
        // Bit 5 DTR, bit 6 RTS, inverted.
        let asserted: UInt16 = (lines.dtr ? 0x20 : 0) | (lines.rts ? 0x40 : 0)
        return request(Request.modemControl, value: ~asserted)
    }

    private func request(_ request: UInt8, value: UInt16 = 0, index: UInt16 = 0) -> ControlTransfer {
        ControlTransfer(requestType: Self.toDevice, request: request, value: value, index: index)
    }

    /// The divider nearest to a rate: rate = 48 MHz / (2^(12 − 3 · prescaler − fast) · divisor).
    package struct Clock: Equatable {
        /// 0 to 3.
        package var prescaler: Int
        /// 1 halves the division before the divisor.
        package var fast: Int
        /// 2 to 256; with the fast clock 9 to 255.
        package var divisor: Int

        package static let frequency = 48_000_000
        package static let rates = 46...2_000_000

        /// The divider with the smallest error; of two equal ones the one without the fast clock, as it samples more
        /// often.
        package init?(rate: Int) {
            guard Self.rates.contains(rate) else { return nil }
            var best: (clock: Clock, error: Int)?
            for fast in 0...1 {
                for prescaler in (0...3).reversed() {
                    let base = Self.frequency >> (12 - 3 * prescaler - fast)
                    let range = fast == 1 ? 9...255 : 2...256
                    let down = base / rate
                    for divisor in [down, down + 1] where range.contains(divisor) {
                        let clock = Clock(prescaler: prescaler, fast: fast, divisor: divisor)
                        // In 1/16 bit/s, so that low rates are not rounded to equals.
                        let error = abs(16 * base / divisor - 16 * rate)
                        if best.map({ error < $0.error }) ?? true { best = (clock, error) }
                    }
                }
            }
            guard let best, best.error <= 16 * rate * 3 / 100 else { return nil }
            self = best.clock
        }

        package init(prescaler: Int, fast: Int, divisor: Int) {
            (self.prescaler, self.fast, self.divisor) = (prescaler, fast, divisor)
        }

        /// The values of the two registers: 256 − divisor in the high byte.
        package var registers: UInt16 {
            UInt16(truncatingIfNeeded: (0x100 - divisor) & 0xFF) << 8
                | UInt16(truncatingIfNeeded: fast << 2 | prescaler)
        }
    }
}
