import MonotonicTime

/// A thermometer on a 1-Wire bus. The chip begins every time slot by pulling the line low; the sensor reads the time of
/// that low level, and answers by holding the line low from its beginning.
final class DS18B20: PinPart {
    static let kind: PartKind = .init(
        name: "ds18b20",
        summary: "1-Wire thermometer",
        source: "data sheet of the Maxim DS18B20 (19-7487); CRC as in Maxim's application note 27",
        terminals: [.init("pin", hasPullUp: true, "The data line (DQ), with its pull-up resistor of 4.7 kΩ.")],
        quantities: [.init("temperature", "°C", -55...125, initial: 20, "The temperature.")],
        readings: [
            .init("resolution", .number(unit: "bits"), "The resolution of the next conversion: 9 to 12."),
            .init("alarm", .words(["off", "on"]), "On if the last conversion left the limits TL and TH."),
        ],
        settings: [
            .init(
                "rom", .text(""),
                "The ROM code: 16 hexadecimal digits, the family 28 first, the CRC last; by default of the seed.")
        ],
        limits: [
            "Its supply is external: parasite power is not modelled.",
            "Bits that the resolution leaves undefined are 0.",
            "Its EEPROM keeps TH, TL and the resolution while the board exists, and does not wear out.",
        ],
        make: { (wiring) throws(PartFault) in try DS18B20(wiring) })

    /// The shortest low level that is a reset.
    static let resetLow = Duration.microseconds(480)
    /// From the end of a reset to the presence pulse (15 µs to 60 µs), and its length (60 µs to 240 µs).
    static let presenceWait = Duration.microseconds(30)
    static let presenceLow = Duration.microseconds(120)
    /// A low level up to this time is a 1 or a read slot: the sensor samples between 15 µs and 60 µs, typically here.
    static let sample = Duration.microseconds(30)
    /// For how long the sensor holds a 0 in a read slot: at least the 15 µs in which the chip reads.
    static let hold = Duration.microseconds(30)
    /// The time of a copy to the EEPROM.
    static let copyTime = Duration.milliseconds(10)

    /// The use of the next time slot.
    private enum Phase {
        /// It waits for a reset.
        case idle
        /// It receives bits into ``received``, until there are enough.
        case receiving(Reception)
        /// It sends its ROM from a bit on, then it receives a function command.
        case sendingROM(bit: Int)
        /// It sends bytes from a bit on, then ones.
        case sending([UInt8], bit: Int)
        /// It sends a bit of its ROM, then its complement, then it receives the bit that the search follows.
        case searching(bit: Int, step: Int)
        /// It sends zeros until a time, then ones.
        case busy(until: MonotonicInstant)
    }

    private enum Reception {
        case romCommand
        case rom
        case functionCommand
        case scratchpad

        var bits: Int {
            switch self {
            case .romCommand, .functionCommand: 8
            case .rom: 64
            case .scratchpad: 24
            }
        }
    }

    var quantities = DS18B20.kind.initialCourses
    private let rom: OneWireROM
    private var isPowered = true
    private var phase = Phase.idle
    private var received: [UInt8] = []
    private var receivedBits = 0
    private var lowSince: MonotonicInstant?
    /// The end of the conversion that runs.
    private var conversionEnd: MonotonicInstant?
    private var memory = DS18B20Memory()

    init(_ wiring: PartWiring) throws(PartFault) {
        let text = wiring.text("rom")
        if text.isEmpty {
            var random = SeededRandom(seed: wiring.seed).fork("rom")
            // Serial numbers end with zeros until many more sensors are made.
            rom = OneWireROM(family: 0x28, serial: random.bytes(4) + [0, 0])
        } else {
            rom = try OneWireROM(text)
            guard rom.bytes[0] == 0x28 else { throw PartFault("rom: expected the family 28, of the DS18B20") }
        }
    }

    var answersPins: Bool { true }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPowered = isOn
        (phase, lowSince, conversionEnd) = (.idle, nil, nil)
        edit(&effects) { $0.powerOn() }
        effects.cancel(0)
        effects.drive(0, .floating, at: time)
    }

    var nextDeadline: MonotonicInstant? { conversionEnd }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard let end = conversionEnd, end <= time else { return }
        conversionEnd = nil
        let temperature = quantity(0, at: end)
        edit(&effects) { $0.convert(temperature) }
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        index == 0 ? .number(Double(memory.resolution)) : .word(memory.isAlarmed ? "on" : "off")
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard isPowered else { return }
        for change in changes {
            advance(to: change.time, &effects)
            if change.drive == .low {
                guard lowSince == nil else { continue }
                lowSince = change.time
                if let bit = answer(at: change.time), !bit {
                    effects.drive(0, .low, at: change.time)
                    effects.drive(0, .floating, at: change.time.advanced(by: Self.hold))
                }
            } else if let start = lowSince {
                lowSince = nil
                endSlot(low: start.duration(to: change.time), at: change.time, &effects)
            }
        }
    }

    /// The bit that the sensor sends in a slot that begins now; `nil`: it sends none.
    private func answer(at time: MonotonicInstant) -> Bool? {
        switch phase {
        case .idle, .receiving: nil
        case .sendingROM(let bit): rom.bit(bit)
        case .sending(let bytes, let bit): bit < bytes.count * 8 ? bytes[bit / 8] >> (bit % 8) & 1 == 1 : nil
        case .searching(let bit, let step): step == 2 ? nil : rom.bit(bit) == (step == 0)
        case .busy(let end): time >= end
        }
    }

    private func endSlot(low: Duration, at time: MonotonicInstant, _ effects: inout PartEffects) {
        guard low < Self.resetLow else {
            let presence = time.advanced(by: Self.presenceWait)
            effects.drive(0, .low, at: presence)
            effects.drive(0, .floating, at: presence.advanced(by: Self.presenceLow))
            return receive(.romCommand)
        }
        let bit = low < Self.sample
        switch phase {
        case .idle, .busy: break
        case .sendingROM(63): receive(.functionCommand)
        case .sendingROM(let index): phase = .sendingROM(bit: index + 1)
        case .sending(let bytes, let index): phase = .sending(bytes, bit: min(index + 1, bytes.count * 8))
        case .searching(let index, let step) where step < 2: phase = .searching(bit: index, step: step + 1)
        case .searching(let index, _):
            // The chip follows the other devices: this one waits for the next reset.
            if bit != rom.bit(index) {
                phase = .idle
            } else if index < 63 {
                phase = .searching(bit: index + 1, step: 0)
            } else {
                receive(.functionCommand)
            }
        case .receiving(let reception):
            if receivedBits.isMultiple(of: 8) { received.append(0) }
            if bit { received[receivedBits / 8] |= 1 << (receivedBits % 8) }
            receivedBits += 1
            if receivedBits == reception.bits { handle(reception, at: time, &effects) }
        }
    }

    private func receive(_ reception: Reception) {
        phase = .receiving(reception)
        received = []
        receivedBits = 0
    }

    private func handle(_ reception: Reception, at time: MonotonicInstant, _ effects: inout PartEffects) {
        phase = .idle
        switch reception {
        case .romCommand: handleROMCommand(received[0])
        case .rom: if received == rom.bytes { receive(.functionCommand) }
        case .functionCommand: handleFunction(received[0], at: time, &effects)
        case .scratchpad:
            let bytes = received
            edit(&effects) { $0.write(high: bytes[0], low: bytes[1], configuration: bytes[2]) }
        }
    }

    private func handleROMCommand(_ command: UInt8) {
        switch command {
        case 0xF0: phase = .searching(bit: 0, step: 0)
        case 0xEC: phase = memory.isAlarmed ? .searching(bit: 0, step: 0) : .idle
        case 0x33: phase = .sendingROM(bit: 0)
        case 0x55: receive(.rom)
        case 0xCC: receive(.functionCommand)
        default: break
        }
    }

    private func handleFunction(_ command: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) {
        switch command {
        case 0x44:
            let end = time.advanced(by: memory.conversionTime)
            conversionEnd = end
            phase = .busy(until: end)
        case 0x4E: receive(.scratchpad)
        case 0xBE: phase = .sending(memory.scratchpad, bit: 0)
        case 0x48:
            memory.copy()
            phase = .busy(until: time.advanced(by: Self.copyTime))
        case 0xB8:
            edit(&effects) { $0.recall() }
            phase = .busy(until: time)
        // Ones: its supply is external.
        case 0xB4: phase = .busy(until: time)
        default: break
        }
    }

    /// Changes the memory, and reports the readings that changed.
    private func edit(_ effects: inout PartEffects, _ change: (inout DS18B20Memory) -> Void) {
        let before = memory
        change(&memory)
        if memory.resolution != before.resolution { effects.change(0) }
        if memory.isAlarmed != before.isAlarmed { effects.change(1) }
    }
}

/// The scratchpad and the EEPROM of a DS18B20.
struct DS18B20Memory {
    /// The temperature register, in sixteenths of a degree.
    private(set) var temperature: Int16 = 0x0550
    /// True if the last conversion left the limits.
    private(set) var isAlarmed = false
    /// TH, TL and the configuration register, as they are delivered.
    private var registers: [UInt8] = [0x4B, 0x46, 0x7F]
    private var eeprom: [UInt8] = [0x4B, 0x46, 0x7F]
    /// A reserved byte: sensors show 0x0C after the supply came on, then 16 less the temperature's lowest digit.
    private var reserved: UInt8 = 0x0C

    /// The resolution in bits, 9...12.
    var resolution: Int { 9 + Int(registers[2] >> 5 & 3) }

    /// 93.75 ms with 9 bits, doubled for each further bit.
    var conversionTime: Duration { .microseconds(93_750 << (resolution - 9)) }

    /// Its nine bytes, with the CRC.
    var scratchpad: [UInt8] {
        let bits = UInt16(bitPattern: temperature)
        let bytes = [UInt8(bits & 0xFF), UInt8(bits >> 8)] + registers + [0xFF, reserved, 0x10]
        return bytes + [OneWireROM.crc(bytes)]
    }

    /// The supply came on: 85 °C, and the EEPROM's registers.
    mutating func powerOn() {
        let kept = eeprom
        self = Self()
        (eeprom, registers) = (kept, kept)
    }

    /// Stores a temperature in °C.
    mutating func convert(_ celsius: Double) {
        let sixteenths = Int16((celsius.clamped(to: -55...125) * 16).rounded())
        temperature = sixteenths & (-1 << (12 - resolution))
        reserved = 0x10 - UInt8(temperature & 0xF)
        // The alarm compares whole degrees: bits 4 to 11.
        let degrees = temperature >> 4
        isAlarmed =
            degrees >= Int16(Int8(bitPattern: registers[0])) || degrees <= Int16(Int8(bitPattern: registers[1]))
    }

    /// Write Scratchpad: only two bits of the configuration can be written.
    mutating func write(high: UInt8, low: UInt8, configuration: UInt8) {
        registers = [high, low, configuration & 0x60 | 0x1F]
    }

    /// Copy Scratchpad.
    mutating func copy() { eeprom = registers }

    /// Recall E².
    mutating func recall() { registers = eeprom }
}
