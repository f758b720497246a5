package import SerialPort

/// Silicon Labs CP2101 to CP2109 and CP2102N. Requests: Silicon Labs AN571, "CP210x Virtual COM Port Interface".
package struct CP210x: BridgeDriver {
    private enum Request {
        static let interfaceEnable: UInt8 = 0x00
        static let setLineControl: UInt8 = 0x03
        static let setModemHandshaking: UInt8 = 0x07
        static let purge: UInt8 = 0x12
        static let setFlow: UInt8 = 0x13
        static let setBaudRate: UInt8 = 0x1E
        static let vendorSpecific: UInt8 = 0xFF
    }

    /// Host to interface, vendor.
    private static let toInterface: UInt8 = 0x41
    /// Device to host, vendor.
    private static let fromDevice: UInt8 = 0xC0
    /// `wValue` of the vendor-specific request for the part number.
    private static let partNumber: UInt16 = 0x370B

    /// A part: the part number that it reports, and its highest rate (data sheets of the parts).
    private struct Part {
        var name: String
        var highestRate: Int
    }

    private static func part(_ number: UInt8?) -> Part {
        switch number {
        case 0x01: Part(name: "CP2101", highestRate: 921_600)
        case 0x02: Part(name: "CP2102", highestRate: 921_600)
        case 0x03: Part(name: "CP2103", highestRate: 921_600)
        case 0x04: Part(name: "CP2104", highestRate: 2_000_000)
        case 0x05: Part(name: "CP2105", highestRate: 921_600)
        case 0x08: Part(name: "CP2108", highestRate: 2_000_000)
        case 0x20, 0x21, 0x22: Part(name: "CP2102N", highestRate: 3_000_000)
        default: Part(name: "CP210x", highestRate: 921_600)
        }
    }

    private let interface: UInt8
    private var part = Self.part(nil)
    package let endpoints: BulkPair

    package init(interface: UInt8, endpoints: BulkPair) {
        self.interface = interface
        self.endpoints = endpoints
    }

    package var name: String { part.name }
    package var traits: PortTraits { PortTraits(highestBaudRate: part.highestRate) }
    package var interfaces: [UInt8] { [interface] }

    package var inquiry: ControlTransfer? {
        ControlTransfer(
            requestType: Self.fromDevice, request: Request.vendorSpecific, value: Self.partNumber,
            index: UInt16(interface), answerLength: 1)
    }

    package mutating func learn(_ answer: [UInt8]) {
        part = Self.part(answer.first)
    }

    package var start: [ControlTransfer] {
        [
            request(Request.interfaceEnable, value: 1),
            // 8 data bits in the high byte, no parity, 1 stop bit.
            request(Request.setLineControl, value: 0x0800),
            request(Request.setFlow, data: Self.noFlowControl),
            setLines(ModemLines(dtr: false, rts: false)),
            purge(0x000F),
        ]
    }

    /// ulControlHandshake and ulFlowReplace 0 (both lines static and inactive), XON and XOFF limits 128.
    private static let noFlowControl: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 128, 0, 0, 0]

    package func configure(rate: Int) -> [ControlTransfer]? {
        guard (300...part.highestRate).contains(rate), let rate = UInt32(exactly: rate) else { return nil }
        return [request(Request.setBaudRate, data: rate.littleEndianBytes)]
    }

    package func setLines(_ lines: ModemLines) -> ControlTransfer {
        // Bits 8 and 9: both lines change.
        request(Request.setModemHandshaking, value: 0x0300 | (lines.dtr ? 1 : 0) | (lines.rts ? 2 : 0))
    }

    package var purgeInput: [ControlTransfer] { [purge(0x000A)] }

    package var stop: [ControlTransfer] { [request(Request.interfaceEnable, value: 0)] }

    private func purge(_ queues: UInt16) -> ControlTransfer { request(Request.purge, value: queues) }

    private func request(_ request: UInt8, value: UInt16 = 0, data: [UInt8] = []) -> ControlTransfer {
        ControlTransfer(
            requestType: Self.toInterface, request: request, value: value, index: UInt16(interface), data: data)
    }
}

extension UInt32 {
    /// The four bytes, lowest first.
    package var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
