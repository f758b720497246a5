internal import ByteCodec
package import MonotonicTime
internal import SerialPort

/// Silicon Labs CP2102 and CP2102N (AN571, "CP210x Virtual COM Port Interface"; AN205 for the rates).
package struct CP2102: BridgeChip {
    /// The part.
    package enum Part: UInt8, Sendable {
        /// CP2102.
        case cp2102 = 0x02
        /// CP2102N in its 28-pin package.
        case cp2102N = 0x20

        var maximumRate: UInt32 { self == .cp2102 ? 1_000_000 : 3_000_000 }
    }

    /// Requests of AN571, 5.
    private enum Request {
        static let enable: UInt8 = 0x00
        static let setDivisor: UInt8 = 0x01
        static let getDivisor: UInt8 = 0x02
        static let setLineControl: UInt8 = 0x03
        static let getLineControl: UInt8 = 0x04
        static let setBreak: UInt8 = 0x05
        static let setHandshake: UInt8 = 0x07
        static let getModemStatus: UInt8 = 0x08
        static let setCharacter: UInt8 = 0x0D
        static let getCharacters: UInt8 = 0x0E
        static let getProperties: UInt8 = 0x0F
        static let getStatus: UInt8 = 0x10
        static let reset: UInt8 = 0x11
        static let purge: UInt8 = 0x12
        static let setFlow: UInt8 = 0x13
        static let getFlow: UInt8 = 0x14
        static let embedEvents: UInt8 = 0x15
        static let setCharacters: UInt8 = 0x19
        static let getRate: UInt8 = 0x1D
        static let setRate: UInt8 = 0x1E
        static let vendor: UInt8 = 0xFF
    }

    /// The part.
    package let part: Part
    package let descriptors: DeviceDescriptors
    package let bulkIn: UInt8 = 0x82
    package let bulkOut: UInt8 = 0x01
    package private(set) var settings = UARTSettings(rate: 115_385)
    private var isEnabled = false
    private var divisor: UInt16 = 0x20
    private var lineControl: UInt16 = 0x0800
    private var dtr = false
    private var rts = false
    private var flow: [UInt8] = [UInt8](repeating: 0, count: 16)
    private var characters: [UInt8] = [0, 0, 0, 0, 0x11, 0x13]
    private var received = ReceiveBuffer()
    private var effects: [ChipEffect] = []

    /// A chip with a serial number.
    package init(_ part: Part = .cp2102, serialNumber: String = "0001") {
        self.part = part
        var descriptors = DeviceDescriptors(
            vendor: 0x10C4, product: 0xEA60, release: 0x0100,
            strings: [
                "Silicon Labs",
                part == .cp2102
                    ? "CP2102 USB to UART Bridge Controller" : "CP2102N USB to UART Bridge Controller", serialNumber,
            ],
            interfaces: [
                DeviceDescriptors.Interface(
                    class: (0xFF, 0, 0), name: 2,
                    [
                        .init(0x82, .bulk, packetSize: 64), .init(0x01, .bulk, packetSize: 64),
                    ])
            ])
        descriptors.usbVersion = part == .cp2102 ? 0x0110 : 0x0200
        self.descriptors = descriptors
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
        case 0x41 where setup.index == 0: set(setup, data)
        case 0xC1 where setup.index == 0: get(setup)
        // The part number and the like: recipient device; Linux's driver asks with the interface's number.
        case 0xC0 where setup.request == Request.vendor: vendor(setup)
        default: .stall
        }
    }

    private mutating func set(_ setup: SetupPacket, _ data: [UInt8]) -> ControlAnswer {
        switch (setup.request, data.count) {
        case (Request.enable, 0) where setup.value <= 1:
            isEnabled = setup.value == 1
            if !isEnabled { received.removeAll() }
        case (Request.setDivisor, 0) where setup.value > 0:
            divisor = setup.value
            return setRate(3_686_400 / Double(setup.value))
        case (Request.setRate, 4):
            let rate = data.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard rate >= 300, rate <= part.maximumRate else { return .stall }
            // AN205: 48 MHz, divided by 2, by a prescaler, and by a whole number.
            let prescaler: Double = rate <= 365 ? 4 : 1
            let steps = (48_000_000 / (2 * prescaler * Double(rate))).rounded()
            return setRate(48_000_000 / (2 * prescaler * steps))
        case (Request.setLineControl, 0):
            return setLineControl(setup.value)
        case (Request.setBreak, 0):
            effects.append(.breakCondition(setup.value == 1))
        case (Request.setHandshake, 0):
            if setup.value & 0x0100 != 0 { dtr = setup.value & 1 != 0 }
            if setup.value & 0x0200 != 0 { rts = setup.value & 2 != 0 }
            effects.append(.lines(ModemLines(dtr: dtr, rts: rts)))
        case (Request.setCharacter, 0), (Request.reset, 0), (Request.embedEvents, 0):
            break
        case (Request.purge, 0):
            if setup.value & 0x000A != 0 { received.removeAll() }
        case (Request.setFlow, 16):
            flow = data
        case (Request.setCharacters, 6):
            characters = data
        default:
            return .stall
        }
        return .accepted
    }

    private mutating func setRate(_ rate: Double) -> ControlAnswer {
        settings.rate = rate
        effects.append(.settings(settings))
        return .accepted
    }

    /// AN571, 5.7: bits 0–3 stop bits (1, 1.5, 2), 4–7 parity, 8–15 word length.
    private mutating func setLineControl(_ value: UInt16) -> ControlAnswer {
        guard value & 0xF <= 2, let parity = UARTSettings.Parity(rawValue: UInt8(value >> 4 & 0xF)),
            (5...8).contains(value >> 8)
        else { return .stall }
        lineControl = value
        settings.stopHalves = UInt8(value & 0xF) + 2
        settings.parity = parity
        settings.dataBits = UInt8(value >> 8)
        effects.append(.settings(settings))
        return .accepted
    }

    private func get(_ setup: SetupPacket) -> ControlAnswer {
        var writer = ByteWriter()
        switch setup.request {
        case Request.getDivisor: writer.uint16(divisor)
        case Request.getLineControl: writer.uint16(lineControl)
        case Request.getModemStatus:
            // DTR and RTS as set; CTS and DSR are not connected and read as not asserted.
            writer.uint8((dtr ? 1 : 0) | (rts ? 2 : 0))
        case Request.getCharacters: return .data(characters)
        case Request.getFlow: return .data(flow)
        case Request.getRate: writer.uint32(UInt32(settings.rate.rounded()))
        case Request.getStatus:
            writer.uint32(0)
            writer.uint32(0)
            writer.uint32(UInt32(received.count))
            writer.uint32(0)
            for _ in 0..<3 { writer.uint8(0) }
        case Request.getProperties:
            writer.uint16(66)
            writer.uint16(0x0100)
            for _ in 0..<62 { writer.uint8(0) }
        default: return .stall
        }
        return .data(writer.bytes)
    }

    private func vendor(_ setup: SetupPacket) -> ControlAnswer {
        switch setup.value {
        case 0x370B: .data([part.rawValue])
        // Firmware version of the CP2102N.
        case 0x0010 where part == .cp2102N: .data([1, 0, 8])
        // The CP2102N's configuration, AN978: no GPIO pin in use.
        case 0x000E where part == .cp2102N: .data([0xA6, 0x02] + [UInt8](repeating: 0, count: 676))
        case 0x00C2 where part == .cp2102N: .data([0])
        default: .stall
        }
    }

    // MARK: Data

    package mutating func write(_ bytes: [UInt8]) {
        guard isEnabled else {
            effects.append(.violation("CP210x: \(bytes.count) bytes for a UART that is not enabled (IFC_ENABLE)"))
            return
        }
        effects.append(.transmit(bytes))
    }

    package mutating func received(_ bytes: [UInt8]) {
        if isEnabled { received.append(bytes) }
    }

    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        received.isEmpty ? nil : received.removeFirst(maximum)
    }
}
