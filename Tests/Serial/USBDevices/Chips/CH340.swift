package import MonotonicTime
internal import SerialPort

/// WCH CH340G (CH340DS1; the requests as Linux's `ch341.c` documents them).
package struct CH340: BridgeChip {
    private enum Request {
        static let version: UInt8 = 0x5F
        static let readRegisters: UInt8 = 0x95
        static let writeRegisters: UInt8 = 0x9A
        static let serialInit: UInt8 = 0xA1
        static let modemControl: UInt8 = 0xA4
    }

    private enum Register {
        static let breakControl: UInt8 = 0x05
        static let prescaler: UInt8 = 0x12
        static let divisor: UInt8 = 0x13
        static let lineControl: UInt8 = 0x18
    }

    /// The bytes of a full packet of its bulk endpoints.
    static let packetSize = 32
    private static let clock: Double = 48_000_000

    package let descriptors: DeviceDescriptors
    package let bulkIn: UInt8 = 0x82
    package let bulkOut: UInt8 = 0x02
    package private(set) var settings = UARTSettings(rate: 9_615)
    private var registers = [UInt8](repeating: 0, count: 256)
    private var isInitialized = false
    private var received = ReceiveBuffer()
    private var effects: [ChipEffect] = []
    private var hasNewStatus = false

    /// A chip; the CH340G has no serial number.
    package init() {
        var descriptors = DeviceDescriptors(
            vendor: 0x1A86, product: 0x7523, release: 0x0264, strings: ["", "USB Serial"],
            interfaces: [
                DeviceDescriptors.Interface(
                    class: (0xFF, 0x01, 0x02),
                    [
                        .init(0x82, .bulk, packetSize: 32), .init(0x02, .bulk, packetSize: 32),
                        .init(0x81, .interrupt, packetSize: 8, interval: 1),
                    ])
            ])
        descriptors.usbVersion = 0x0110
        descriptors.deviceClass = [0xFF, 0, 0]
        descriptors.controlPacketSize = 8
        descriptors.stringNumbers = [0, 2, 0]
        descriptors.maximumPower = 49
        self.descriptors = descriptors
        registers[Int(Register.lineControl)] = 0
    }

    package mutating func drainEffects() -> [ChipEffect] {
        defer { effects.removeAll() }
        return effects
    }

    // MARK: Requests

    package mutating func control(
        _ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant
    ) -> ControlAnswer {
        switch (setup.requestType, setup.request) {
        case (0xC0, Request.version):
            return .data([0x31, 0x00])
        case (0xC0, Request.readRegisters):
            return .data([read(setup.valueLow), read(setup.valueHigh)])
        case (0x40, Request.writeRegisters) where data.isEmpty:
            write(UInt8(truncatingIfNeeded: setup.index), to: setup.valueLow)
            if setup.valueHigh != setup.valueLow { write(UInt8(setup.index >> 8), to: setup.valueHigh) }
            effects.append(.settings(settings))
            return .accepted
        case (0x40, Request.serialInit) where data.isEmpty:
            isInitialized = true
            return .accepted
        case (0x40, Request.modemControl) where data.isEmpty:
            // The register holds the levels of the pins, which are low when asserted.
            let asserted = ~setup.valueLow
            effects.append(.lines(ModemLines(dtr: asserted & 0x20 != 0, rts: asserted & 0x40 != 0)))
            hasNewStatus = true
            return .accepted
        default:
            return .stall
        }
    }

    private func read(_ register: UInt8) -> UInt8 {
        switch register {
        // The levels of CTS, DSR, RI, DCD: high, not asserted.
        case 0x06: 0xFF
        case 0x07: 0xEE
        default: registers[Int(register)]
        }
    }

    private mutating func write(_ value: UInt8, to register: UInt8) {
        let former = registers[Int(register)]
        registers[Int(register)] = value
        switch register {
        case Register.prescaler, Register.divisor:
            settings.rate = rate
        case Register.lineControl:
            settings.dataBits = 5 + (value & 3)
            settings.stopHalves = value & 4 == 0 ? 2 : 4
            settings.parity = value & 8 == 0 ? .none : [.odd, .even, .mark, .space][Int(value >> 4 & 3)]
        case Register.breakControl where (former ^ value) & 1 != 0:
            effects.append(.breakCondition(value & 1 == 0))
        default: break
        }
    }

    /// 48 MHz by a prescaler of 1, 8, 64 or 512, by 2 unless bit 2 is set, and by 256 − the divisor's register, halved
    /// again: Linux's driver works with 2^(12 − 3·ps − fact).
    private var rate: Double {
        let prescaler = registers[Int(Register.prescaler)]
        let shift = 12 - 3 * Int(prescaler & 3) - Int(prescaler >> 2 & 1)
        return Self.clock / Double(1 << shift) / Double(256 - Int(registers[Int(Register.divisor)]))
    }

    private var isEnabled: Bool { isInitialized && registers[Int(Register.lineControl)] & 0xC0 == 0xC0 }

    // MARK: Data

    package mutating func write(_ bytes: [UInt8]) {
        guard isEnabled else {
            effects.append(
                .violation("CH340: \(bytes.count) bytes before initialization (A1), or with receiver and sender off"))
            return
        }
        effects.append(.transmit(bytes))
    }

    package mutating func received(_ bytes: [UInt8]) {
        if isEnabled { received.append(bytes) }
    }

    /// Without bit 7 of the prescaler the chip waits until a packet is full.
    private var sendsAtOnce: Bool { registers[Int(Register.prescaler)] & 0x80 != 0 }

    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        if sendsAtOnce { return received.isEmpty ? nil : received.removeFirst(maximum) }
        let full = min(received.count, maximum) / Self.packetSize * Self.packetSize
        return full == 0 ? nil : received.removeFirst(full)
    }

    package mutating func readInterrupt(at now: MonotonicInstant) -> [UInt8]? {
        guard hasNewStatus else { return nil }
        hasNewStatus = false
        return [0x08, 0x00, 0xFF, 0xEE]
    }
}
