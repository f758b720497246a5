import BoardParts
import CFirmwareChannel
import ESPChips
import MonotonicTime
import Testing
import VirtualBoard

/// A part that answers a falling edge with a low level of 80 µs after 20 µs, and holds its second terminal low on demand.
private final class EchoPart: PinPart {
    var quantities: [QuantityCourse] = []
    var seen: [TimedDrive] = []
    let answersPins = true

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        seen += changes
        guard terminal == 0, let last = changes.last, last.drive == .floating else { return }
        effects.cancel(0)
        effects.drive(0, .low, at: last.time.advanced(by: .microseconds(20)))
        effects.drive(0, .floating, at: last.time.advanced(by: .microseconds(100)))
    }

    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        effects.drive(1, quantity(0, at: time) > 0 ? .low : .floating, at: time)
    }

    static let kind = PartKind(
        name: "echo", summary: "", source: "",
        terminals: [.init("line", hasPullUp: true, ""), .init("key", "")],
        quantities: [.init("key", words: ["up", "down"], "")], make: { _ in EchoPart() })
}

@Suite struct WiredPartsTests {
    private func at(_ microseconds: Int64) -> MonotonicInstant { .zero.advanced(by: .microseconds(microseconds)) }

    private func wired(_ parts: [WiredPart]) throws -> WiredParts {
        var wired = WiredParts(.esp32, random: SeededRandom(seed: 1))
        try wired.wire(parts, at: .zero)
        wired.setPower(true, at: .zero)
        _ = wired.takeLevels(at: .zero)
        _ = wired.drainEvents()
        return wired
    }

    private func echo(line: Int = 4, key: Int = 5) -> WiredPart {
        WiredPart(name: "echo", kind: EchoPart.kind, wiring: PartWiring(pins: ["line": [line], "key": [key]]))
    }

    private func sensor(_ kind: String, _ address: UInt8, sda: Int = 21, scl: Int = 22) throws -> WiredPart {
        WiredPart(
            name: kind, kind: try #require(PartCatalogue.kind(named: kind)),
            wiring: PartWiring(pins: ["sda": [sda], "scl": [scl]], address: address))
    }

    @Test func answersToAnEdgeAreLevelsAtTheirTimes() throws {
        var parts = try wired([echo()])
        #expect(parts.answeredPins == [4, 5])
        parts.chipDrives(4, [TimedDrive(at(10), .low)])
        parts.chipDrives(4, [TimedDrive(at(30), .floating)])
        let levels = parts.takeLevels(at: at(30))
        #expect(levels.map(\.pin) == [4, 4, 4])
        #expect(levels.map(\.time_ns) == [30_000, 50_000, 130_000])
        #expect(levels.map { Int($0.value) } == [CFC_PIN_HIGH, CFC_PIN_LOW, CFC_PIN_HIGH])
        // Told once.
        #expect(parts.takeLevels(at: at(31)).isEmpty)
        // Later the past is not told again: the part has been driving the line since 50 µs.
        parts.chipDrives(4, [TimedDrive(at(60), .low)])
        parts.chipDrives(4, [TimedDrive(at(70), .floating)])
        let later = parts.takeLevels(at: at(70))
        #expect(later.map(\.time_ns) == [70_000, 170_000])
        #expect(later.map { Int($0.value) } == [CFC_PIN_LOW, CFC_PIN_HIGH])
    }

    @Test func aConflictIsReportedOnceUntilItEnds() throws {
        var parts = try wired([echo()])
        try parts.set("echo", "key", to: .constant(1), at: at(1))
        parts.chipDrives(5, [TimedDrive(at(2), .low)])
        #expect(parts.drainEvents().isEmpty)
        parts.chipDrives(5, [TimedDrive(at(3), .high)])
        #expect(
            parts.drainEvents() == [.conflict(5, "the sketch drives it high, and 'echo' drives it low")])
        parts.chipDrives(5, [TimedDrive(at(4), .high)])
        #expect(parts.drainEvents().isEmpty)
        parts.chipDrives(5, [TimedDrive(at(5), .floating)])
        parts.chipDrives(5, [TimedDrive(at(6), .high)])
        #expect(parts.drainEvents().count == 1)
    }

    @Test func anUnpluggedPartDrivesNothing() throws {
        var parts = try wired([echo()])
        try parts.set("echo", "key", to: .constant(1), at: at(1))
        #expect(parts.takeLevels(at: at(1)).map { Int($0.value) } == [CFC_PIN_LOW])
        try parts.setPlugged("echo", false, at: at(2))
        #expect(parts.takeLevels(at: at(2)).map { Int($0.value) } == [CFC_PIN_FLOATING, CFC_PIN_FLOATING])
        parts.chipDrives(4, [TimedDrive(at(3), .floating)])
        #expect(parts.takeLevels(at: at(3)).isEmpty)
    }

    @Test func unknownNamesAndPinsAreRefused() throws {
        #expect(throws: PartFault("part 'echo': the ESP32 has no pin 24")) { try wired([echo(line: 24)]) }
        var parts = try wired([echo()])
        #expect(throws: PartFault("there is no part 'ecko'")) {
            try parts.set("ecko", "key", to: .constant(0), at: .zero)
        }
        #expect(throws: PartFault("part 'echo' has no quantity 'kex'")) {
            try parts.set("echo", "kex", to: .constant(0), at: .zero)
        }
    }

    @Test func aConflictIsSeenWhenAnAnnouncedDriveIsDue() throws {
        var parts = try wired([echo()])
        parts.chipDrives(4, [TimedDrive(at(0), .low)])
        parts.chipDrives(4, [TimedDrive(at(10), .floating)])
        // The echo begins at 30 µs, after the sketch has taken the line.
        parts.chipDrives(4, [TimedDrive(at(20), .high)])
        #expect(parts.nextDeadline == at(30))
        parts.advance(to: at(500))
        #expect(parts.drainEvents() == [.conflict(4, "the sketch drives it high, and 'echo' drives it low")])
    }

    @Test func aVoltageIsADriverToo() throws {
        let pot = WiredPart(
            name: "pot", kind: try #require(PartCatalogue.kind(named: "voltage")),
            wiring: PartWiring(pins: ["pin": [32]]))
        var parts = try wired([pot])
        parts.chipDrives(32, [TimedDrive(at(1), .high)])
        #expect(parts.drainEvents() == [.conflict(32, "the sketch drives it high, and 'pot' is a voltage")])
    }

    // MARK: Parts that were set

    private func part(_ kind: String, _ pins: [String: [Int]], _ settings: [String: PartWiring.Value] = [:]) throws
        -> WiredPart
    {
        WiredPart(
            name: "x", kind: try #require(PartCatalogue.kind(named: kind)),
            wiring: PartWiring(pins: pins, settings: settings))
    }

    /// The modes of pins, in Arduino's numbers.
    private func modes(_ modes: [Int: UInt32]) -> PinModes {
        var result = PinModes()
        for (pin, mode) in modes { result.set(pin, mode: mode) }
        return result
    }

    @Test func aContactMustBeOnAnInputWithAResistor() throws {
        let low = try part("button", ["pin": [27]])
        let high = try part("button", ["pin": [27]], ["active": .text("high")])
        let external = try part("button", ["pin": [27]], ["resistor": .text("external")])
        for (button, mode, reason) in [
            (low, 5, nil), (low, 1, "pin 27 has no pull-up"), (low, 0, "pin 27 is not an input"), (high, 9, nil),
            (high, 1, "pin 27 has no pull-down"), (high, 5, "pin 27 has no pull-down"), (external, 1, nil),
        ] as [(WiredPart, UInt32, String?)] {
            var parts = try wired([button])
            #expect(parts.unnoticed(modes([27: mode])) == nil)
            try parts.set("x", "contact", to: .constant(1), at: at(1))
            try parts.set("x", "contact", to: .constant(0), at: at(2))
            let found = parts.unnoticed(modes([27: mode]))?.reason
            #expect(reason.map { found?.hasPrefix($0) == true } ?? (found == nil), "\(mode): \(found ?? "nothing")")
        }
    }

    @Test func aContactThatWokeTheChipNeedNotBeAnInput() throws {
        var parts = try wired([try part("button", ["pin": [33]], ["resistor": .text("external")])])
        try parts.set("x", "contact", to: .constant(1), at: at(1))
        #expect(parts.unnoticed(modes([:])) != nil)
        parts.pinsWokeChip()
        try parts.set("x", "contact", to: .constant(0), at: at(2))
        #expect(parts.unnoticed(modes([:])) == nil)
    }

    @Test func aVoltageMustBeConverted() throws {
        var parts = try wired([try part("voltage", ["pin": [32]])])
        try parts.set("x", "voltage", to: .constant(1), at: at(1))
        let found = parts.unnoticed(modes([32: 1]))
        #expect(found?.part == "x" && found?.reason == "the sketch has not read pin 32, as with analogRead(32)")
        _ = parts.convert(cfc_analog_read(pin: 33, attenuation: 3, count: 1, reserved: 0), at: at(2))
        #expect(parts.unnoticed(modes([:])) != nil)
        _ = parts.convert(cfc_analog_read(pin: 32, attenuation: 3, count: 1, reserved: 0), at: at(2))
        #expect(parts.unnoticed(modes([:])) == nil)
    }

    @Test func aKeypadMustHaveAnInput() throws {
        let pad = try part("keypad", ["rows": [18, 19], "columns": [25, 26]], ["keys": .texts(["12", "34"])])
        var parts = try wired([pad])
        try parts.set("x", "key", to: .constant(1), at: at(1))
        #expect(parts.unnoticed(modes([25: 3]))?.reason.hasPrefix("pin 18 is not an input") == true)
        #expect(parts.unnoticed(modes([18: 5, 25: 3])) == nil)
    }

    // MARK: I²C

    private func request(_ address: UInt16, reads: UInt32, sda: UInt8 = 21, flags: Int) -> cfc_i2c {
        cfc_i2c(
            sda: sda, scl: 22, address: address, flags: UInt32(flags), clock_hz: 100_000, read_count: reads,
            timeout_ns: 50_000_000)
    }

    @Test func aTransactionTakesTheBusesTime() throws {
        var parts = try wired([try sensor("bme280", 0x76)])
        let both = CFC_I2C_WRITES | CFC_I2C_READS
        let (status, result, read) = parts.transact(request(0x76, reads: 1, flags: both), [0xD0], at: at(0))
        #expect(status == 0 && read == [0x60] && result.written == 1 && result.count == 1)
        // Start and address, a byte, repeated start and address, a byte, stop, at 10 µs a bit.
        #expect(result.duration_ns == 390_000)
        guard case .i2c(let event)? = parts.drainEvents().first else { throw PartFault("no event") }
        #expect(event.part == "bme280" && event.written == [0xD0] && event.read == [0x60] && event.status == 0)
    }

    @Test func anotherAddressOrOtherPinsDoNotAnswer() throws {
        var parts = try wired([try sensor("bme280", 0x76)])
        let writes = CFC_I2C_WRITES
        #expect(parts.transact(request(0x77, reads: 0, flags: writes), [0], at: at(0)).status == 2)
        #expect(parts.transact(request(0x76, reads: 0, sda: 18, flags: writes), [0], at: at(0)).status == 2)
        #expect(parts.transact(request(0x76, reads: 0, flags: writes), [0], at: at(0)).status == 0)
        parts.setPower(false, at: at(1))
        #expect(parts.transact(request(0x76, reads: 0, flags: writes), [0], at: at(2)).status == 2)
    }

    // MARK: Analog

    @Test func aVoltageIsConvertedWithTheChipsCurve() throws {
        let divider = WiredPart(
            name: "battery", kind: try #require(PartCatalogue.kind(named: "divider")),
            wiring: PartWiring(pins: ["pin": [34]], settings: ["ratio": .number(2)]))
        var parts = try wired([divider])
        for (volts, tolerance) in [(0.0, 142.0), (1.0, 5), (3.3, 5), (5.2, 5), (8, 250)] {
            try parts.set("battery", "voltage", to: .constant(volts), at: at(1))
            let result = parts.convert(cfc_analog_read(pin: 34, attenuation: 3, count: 16, reserved: 0), at: at(2))
            let expected = min(volts * 500, 3_150)
            #expect(abs(Double(result.millivolts) - expected) <= tolerance, "\(volts) V: \(result)")
            if volts == 0 { #expect(result.raw == 0) }
            if volts == 8 { #expect(result.raw == 4095) }
        }
        // A pin to which nothing is connected is noise, which is reported once.
        _ = parts.drainEvents()
        let floating = (0..<8).map { _ in
            parts.convert(cfc_analog_read(pin: 35, attenuation: 3, count: 1, reserved: 0), at: at(3)).raw
        }
        #expect(Set(floating).count > 4)
        let reports = parts.drainEvents().filter { if case .pinIgnored(35, _) = $0 { true } else { false } }
        #expect(reports.count == 1)
    }

    /// The formula of ESP-IDF (`esp_adc_cal`), for a reference voltage of 1,100 mV.
    @Test(arguments: [0, 1, 2, 3])
    func theCurveIsThatOfTheFactoryCalibration(attenuation: Int) {
        let scale = [57431, 76236, 105481, 196602][attenuation]
        let offset = [75, 78, 107, 142][attenuation]
        for raw in stride(from: 0, through: 2879, by: 37) {
            let expected = (1100 * scale / 4096 * raw + 32768) / 65536 + offset
            let found = AnalogConverter.microvolts(of: raw, 0, attenuation) / 1000
            #expect(abs(found - Double(expected)) <= 1.1, "\(raw)")
        }
        for raw in stride(from: 0, through: 4095, by: 41) {
            let value = AnalogConverter.value(
                of: AnalogConverter.microvolts(of: raw, 0, attenuation), 0, attenuation)
            #expect(abs(value - Double(raw)) < 0.01, "\(raw): \(value)")
        }
    }
}
