package import MonotonicTime
internal import SerialPort

/// FTDI FT232R (data sheet 2.15; AN232B-05 for the rates; the requests as Linux's `ftdi_sio.h` documents them).
package struct FT232R: BridgeChip {
    private enum Request {
        static let reset: UInt8 = 0x00
        static let modemControl: UInt8 = 0x01
        static let flow: UInt8 = 0x02
        static let rate: UInt8 = 0x03
        static let data: UInt8 = 0x04
        static let modemStatus: UInt8 = 0x05
        static let eventCharacter: UInt8 = 0x06
        static let errorCharacter: UInt8 = 0x07
        static let setLatency: UInt8 = 0x09
        static let getLatency: UInt8 = 0x0A
        static let bitMode: UInt8 = 0x0B
        static let readEEPROM: UInt8 = 0x90
    }

    /// The bytes of a full packet, with the two status bytes.
    static let packetSize = 64

    package let descriptors: DeviceDescriptors
    package let bulkIn: UInt8 = 0x81
    package let bulkOut: UInt8 = 0x02
    package private(set) var settings = UARTSettings(rate: 9_600)
    /// The latency timer, in milliseconds.
    package private(set) var latency: UInt8 = 16
    private var dtr = false
    private var rts = false
    private var isBreak = false
    private var received = ReceiveBuffer()
    /// When the last packet was sent: the latency timer runs from then on.
    private var lastPacket = MonotonicInstant.zero
    private var effects: [ChipEffect] = []

    /// A chip with a serial number.
    package init(serialNumber: String = "A5069RR4") {
        descriptors = DeviceDescriptors(
            vendor: 0x0403, product: 0x6001, release: 0x0600, strings: ["FTDI", "FT232R USB UART", serialNumber],
            interfaces: [
                DeviceDescriptors.Interface(
                    class: (0xFF, 0xFF, 0xFF), name: 2,
                    [
                        .init(0x81, .bulk, packetSize: 64), .init(0x02, .bulk, packetSize: 64),
                    ])
            ])
    }

    package mutating func drainEffects() -> [ChipEffect] {
        defer { effects.removeAll() }
        return effects
    }

    // MARK: Requests

    package mutating func control(
        _ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant
    ) -> ControlAnswer {
        switch setup.requestType {
        case 0x40 where data.isEmpty: set(setup, at: now)
        case 0xC0: get(setup)
        default: .stall
        }
    }

    private mutating func set(_ setup: SetupPacket, at now: MonotonicInstant) -> ControlAnswer {
        switch setup.request {
        case Request.reset where setup.value <= 2:
            // 0 resets the chip's state, 1 discards what RXD received, 2 what was not sent.
            if setup.value != 2 { received.removeAll() }
            lastPacket = now
        case Request.modemControl:
            if setup.valueHigh & 1 != 0 { dtr = setup.valueLow & 1 != 0 }
            if setup.valueHigh & 2 != 0 { rts = setup.valueLow & 2 != 0 }
            effects.append(.lines(ModemLines(dtr: dtr, rts: rts)))
        case Request.rate:
            setRate(setup)
        case Request.data:
            return setData(setup.value)
        case Request.setLatency where (1...255).contains(setup.value):
            latency = setup.valueLow
        case Request.flow, Request.eventCharacter, Request.errorCharacter, Request.bitMode:
            break
        default:
            return .stall
        }
        return .accepted
    }

    private mutating func setRate(_ setup: SetupPacket) {
        guard let rate = Self.rate(value: setup.value, index: setup.index) else {
            effects.append(.violation("FT232R: the divisor \(setup) has an integer part of 1 and a fraction"))
            return
        }
        settings.rate = rate
        effects.append(.settings(settings))
    }

    /// AN232B-05: 3 MHz by a whole number and eighths; the codes 0 and 1 are 3 and 2 Mbaud.
    static func rate(value: UInt16, index: UInt16) -> Double? {
        let eighths: [Double] = [0, 4, 2, 1, 3, 5, 6, 7]
        let whole = Int(value & 0x3FFF)
        let fraction = Int(value >> 14) | Int(index & 1) << 2
        switch (whole, fraction) {
        case (0, 0): return 3_000_000
        case (1, 0): return 2_000_000
        case (0...1, _): return nil
        default: return 3_000_000 / (Double(whole) + eighths[fraction] / 8)
        }
    }

    private mutating func setData(_ value: UInt16) -> ControlAnswer {
        guard value & 0xFF == 7 || value & 0xFF == 8, value >> 11 & 3 <= 2,
            let parity = UARTSettings.Parity(rawValue: UInt8(value >> 8 & 7))
        else { return .stall }
        settings.dataBits = UInt8(value & 0xFF)
        settings.parity = parity
        settings.stopHalves = UInt8(value >> 11 & 3) + 2
        effects.append(.settings(settings))
        let isBreak = value & 0x4000 != 0
        if isBreak != self.isBreak { effects.append(.breakCondition(isBreak)) }
        self.isBreak = isBreak
        return .accepted
    }

    private func get(_ setup: SetupPacket) -> ControlAnswer {
        switch setup.request {
        case Request.modemStatus: .data(status)
        case Request.getLatency: .data([latency])
        // A blank EEPROM.
        case Request.readEEPROM: .data([0xFF, 0xFF])
        default: .stall
        }
    }

    // MARK: Data

    /// No line is asserted; the sender is empty.
    private var status: [UInt8] { [0x01, 0x60] }

    package mutating func write(_ bytes: [UInt8]) {
        effects.append(.transmit(bytes))
    }

    package mutating func received(_ bytes: [UInt8]) {
        received.append(bytes)
    }

    /// Every packet begins with the status. A full packet is sent at once, another when the latency timer has run.
    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        guard received.count >= Self.packetSize - 2 || now >= latencyDeadline else { return nil }
        var result: [UInt8] = []
        var packet: [UInt8] = []
        repeat {
            let room = min(Self.packetSize, maximum - result.count)
            guard room >= 2 else { break }
            packet = status + received.removeFirst(room - 2)
            result += packet
        } while packet.count == Self.packetSize
        lastPacket = now
        return result
    }

    private var latencyDeadline: MonotonicInstant {
        lastPacket.advanced(by: .milliseconds(Int64(latency)))
    }

    package func readDeadline(at now: MonotonicInstant) -> MonotonicInstant? { latencyDeadline }
}
