package import SerialPort

/// FTDI FT232R, FT-X, FT2232, FT4232 and FT232H. Requests and divisors: FTDI AN232B-05 "Configuring FT232R … Baud
/// Rates", and Linux' and FreeBSD's drivers.
package struct FTDI: BridgeDriver {
    private enum Request {
        static let reset: UInt8 = 0x00
        static let modemControl: UInt8 = 0x01
        static let setFlowControl: UInt8 = 0x02
        static let setBaudRate: UInt8 = 0x03
        static let setData: UInt8 = 0x04
        static let setLatencyTimer: UInt8 = 0x09
    }

    private static let toDevice: UInt8 = 0x40
    /// Milliseconds after which a packet that is not full is sent.
    private static let latency: UInt16 = 1
    /// Modem and line status at the start of each packet.
    private static let statusLength = 2

    private let chip: Chip
    private let interface: UInt8
    /// The port in `wIndex`, counted from 1; 0 in the chips that have no such number.
    private let port: UInt16
    package let endpoints: BulkPair

    package init(device: USBDeviceInfo, interface: UInt8, endpoints: BulkPair) {
        chip = Chip(device)
        self.interface = interface
        port = chip.numbersPorts ? UInt16(interface) + 1 : 0
        self.endpoints = endpoints
    }

    package var name: String { chip.name }
    package var traits: PortTraits { PortTraits(highestBaudRate: chip.highestRate) }
    package var interfaces: [UInt8] { [interface] }

    package var start: [ControlTransfer] {
        [
            request(Request.reset),
            // 8 data bits, no parity, 1 stop bit.
            request(Request.setData, value: 0x0008),
            request(Request.setFlowControl),
            request(Request.setLatencyTimer, value: Self.latency),
            setLines(ModemLines(dtr: false, rts: false)),
        ] + purgeInput
    }

    package func configure(rate: Int) -> [ControlTransfer]? {
        guard let divisor = chip.divisor(rate: rate) else { return nil }
        let high = UInt16(truncatingIfNeeded: divisor >> 16)
        return [
            request(
                Request.setBaudRate, value: UInt16(truncatingIfNeeded: divisor),
                index: port == 0 ? high : high << 8 | port)
        ]
    }

    package func setLines(_ lines: ModemLines) -> ControlTransfer {
        // Bits 8 and 9: both lines change.
        request(Request.modemControl, value: 0x0300 | (lines.dtr ? 1 : 0) | (lines.rts ? 2 : 0))
    }

    /// Value 1 is the buffer towards the host.
    package var purgeInput: [ControlTransfer] { [request(Request.reset, value: 1)] }

    /// Removes the status bytes of every packet; the transfer consists of full packets and a last one.
    package func payload(of transfer: [UInt8]) -> [UInt8] {
        let size = endpoints.input.packetSize
        guard size > Self.statusLength, transfer.count > Self.statusLength else { return [] }
        var result: [UInt8] = []
        result.reserveCapacity(transfer.count)
        var start = 0
        while start < transfer.count {
            let end = min(start + size, transfer.count)
            if start + Self.statusLength < end { result += transfer[start + Self.statusLength..<end] }
            start = end
        }
        return result
    }

    private func request(_ request: UInt8, value: UInt16 = 0, index: UInt16? = nil) -> ControlTransfer {
        ControlTransfer(requestType: Self.toDevice, request: request, value: value, index: index ?? port)
    }

    /// A family of chips with the same clock.
    package enum Chip: Equatable {
        /// A clock of 3 MHz after the prescaler.
        case fullSpeed(String)
        /// A clock of 12 MHz after the prescaler, down to 1,200 bits per second; below that rate, as ``fullSpeed(_:)``.
        case highSpeed(String)

        package init(_ device: USBDeviceInfo) {
            switch (device.identity.product, device.release) {
            case (0x6010, 0x0700...): self = .highSpeed("FT2232H")
            case (0x6010, _): self = .fullSpeed("FT2232")
            case (0x6011, _): self = .highSpeed("FT4232H")
            case (0x6014, _): self = .highSpeed("FT232H")
            case (0x6015, _): self = .fullSpeed("FT-X")
            default: self = .fullSpeed(Self.single)
            }
        }

        package var name: String {
            switch self {
            case .fullSpeed(let name), .highSpeed(let name): name
            }
        }

        /// True if `wIndex` contains the number of the port; false for FT232R and older.
        package var numbersPorts: Bool { self != .fullSpeed(Self.single) }

        private static let single = "FT232R"

        package var highestRate: Int {
            switch self {
            case .fullSpeed: 3_000_000
            case .highSpeed: 12_000_000
            }
        }

        /// The divisor: bits 0 to 13 whole, 14 to 16 the code of the eighths, 17 the 12 MHz clock.
        package func divisor(rate: Int) -> UInt32? {
            guard (183...highestRate).contains(rate) else { return nil }
            if case .highSpeed = self, rate >= 1200 { return Self.divisor(clock: 12_000_000, rate) | 0x2_0000 }
            return Self.divisor(clock: 3_000_000, rate)
        }

        /// The codes of 0, ⅛, ¼ … ⅞.
        private static let eighths: [UInt32] = [0, 3, 2, 4, 1, 5, 6, 7]

        private static func divisor(clock: Int, _ rate: Int) -> UInt32 {
            let eighthsOfDivisor = (8 * clock + rate / 2) / rate
            switch eighthsOfDivisor {
            // Special codes for the divisors 1 and 1.5; no others exist below 2.
            case ..<10: return 0
            case 10..<14: return 1
            case 14..<16: return 2
            default:
                let whole = min(eighthsOfDivisor >> 3, 0x3FFF)
                return UInt32(whole) | eighths[eighthsOfDivisor & 7] << 14
            }
        }
    }
}
