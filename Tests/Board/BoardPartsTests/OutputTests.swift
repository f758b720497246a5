import BoardParts
import MonotonicTime
import Testing

@Suite struct OutputTests {
    private func signal(_ hertz: UInt64, _ duty: Double) -> PWMSignal {
        PWMSignal(millihertz: hertz * 1000, duty: duty)
    }

    @Test(arguments: [("high", PinDrive.high, PinDrive.low), ("low", .low, .high)])
    func anLEDIsLitByItsActiveLevel(_ active: String, _ on: PinDrive, _ off: PinDrive) throws {
        var trial = try PartTrial("led", settings: ["active": .text(active)])
        #expect(trial.reading("state") == .word("off"))
        trial.drive(on, at: 10)
        #expect(trial.reading("state") == .word("on") && trial.number("brightness") == 100)
        #expect(trial.takeChanges() == [0, 1])
        trial.drive(on, at: 15)
        #expect(trial.takeChanges() == [])
        trial.drive(off, at: 20)
        #expect(trial.reading("state") == .word("off"))
        trial.drive(on, at: 30)
        trial.drive(.floating, at: 40)
        #expect(trial.reading("state") == .word("off"))
    }

    @Test func anLEDsBrightnessIsTheDuty() throws {
        var trial = try PartTrial("led")
        trial.pwm(signal(5000, 0.25), at: 0)
        #expect(trial.number("brightness") == 25 && trial.takeChanges() == [0, 1])
        trial.pwm(signal(5000, 0.5), at: 10)
        #expect(trial.number("brightness") == 50 && trial.takeChanges() == [1])
        trial.pwm(signal(5000, 0), at: 20)
        #expect(trial.reading("state") == .word("off"))
        trial.drive(.high, at: 30)
        #expect(trial.reading("state") == .word("off"), "the signal counts, not the level")
        trial.pwm(nil, at: 40)
        #expect(trial.number("brightness") == 100)

        var low = try PartTrial("led", settings: ["active": .text("low")])
        low.pwm(signal(1000, 0.2), at: 0)
        #expect(low.number("brightness") == 80)
    }

    @Test func changesInTheFutureTakeEffectInTheirTime() throws {
        var trial = try PartTrial("led")
        let drives: [(Double, PinDrive)] = [(0, .high), (100, .low), (200, .high), (300, .low)]
        trial.transmit(drives.map { TimedDrive(.at($0.0), $0.1) })
        var states: [Bool] = []
        for time in [0.0, 99, 100, 199, 200] {
            trial.run(to: time)
            states.append(trial.reading("state") == .word("on"))
        }
        #expect(states == [true, true, false, false, true])
        // A new drive replaces what was announced for later.
        trial.transmit([(1000.0, PinDrive.high), (1100, .low), (1200, .high)].map { TimedDrive(.at($0.0), $0.1) })
        trial.drive(.low, at: 1050)
        #expect(trial.reading("state") == .word("off"))
        trial.run(to: 2000)
        #expect(trial.reading("state") == .word("off"))
    }

    @Test func anRGBLEDMixesItsColours() throws {
        let pins = ["red": [1], "green": [2], "blue": [3]]
        var trial = try PartTrial("rgb-led", pins: pins)
        trial.drive(.high, terminal: 0, at: 0)
        trial.pwm(signal(5000, 0.5), terminal: 1, at: 1)
        #expect(trial.reading("colour") == .colours([0xFF8000]))
        trial.drive(.high, terminal: 2, at: 2)
        #expect(trial.reading("colour") == .colours([0xFF80FF]))

        var anode = try PartTrial("rgb-led", pins: pins, settings: ["common": .text("anode")])
        #expect(anode.reading("colour") == .colours([0]))
        anode.drive(.low, terminal: 2, at: 0)
        anode.pwm(signal(5000, 0.8), terminal: 0, at: 0)
        #expect(anode.reading("colour") == .colours([0x3300FF]))
    }

    @Test func aRelaySwitchesByItsLevelAndSupply() throws {
        var trial = try PartTrial("relay", settings: ["active": .text("low")])
        trial.drive(.high, at: 0)
        #expect(trial.reading("state") == .word("off") && trial.takeChanges() == [])
        trial.drive(.low, at: 1)
        #expect(trial.reading("state") == .word("on") && trial.takeChanges() == [0])
        trial.power(false, at: 2)
        #expect(trial.reading("state") == .word("off") && trial.takeChanges() == [0])
    }

    @Test func aBuzzerSoundsWithAPWMSignal() throws {
        var trial = try PartTrial("buzzer")
        trial.pwm(PWMSignal(millihertz: 440_000, duty: 0.5), at: 0)
        #expect(trial.reading("state") == .word("sounding") && trial.number("frequency") == 440)
        trial.pwm(PWMSignal(millihertz: 440_000, duty: 0), at: 1)
        #expect(trial.reading("state") == .word("silent") && trial.number("frequency") == 0)
        trial.pwm(PWMSignal(millihertz: 40_000_000, duty: 0.5), at: 2)
        #expect(trial.reading("state") == .word("silent"), "ultrasound")
        trial.drive(.high, at: 3)
        trial.pwm(nil, at: 4)
        #expect(trial.reading("state") == .word("silent"), "a constant level")
    }

    @Test func aBuzzersFrequencyIsMeasuredFromEdges() throws {
        var trial = try PartTrial("buzzer")
        for period in 0..<10 {
            trial.drive(.high, at: Double(period) * 500)
            #expect(trial.number("frequency") == (period == 0 ? 0 : 2000))
            trial.drive(.low, at: Double(period) * 500 + 250)
        }
        #expect(trial.takeChanges() == [0, 1])
        trial.run(to: 5499)
        #expect(trial.reading("state") == .word("sounding"))
        trial.run(to: 5500)
        #expect(trial.reading("state") == .word("silent") && trial.takeChanges() == [0, 1])
        // The pause is no period.
        trial.drive(.high, at: 9000)
        #expect(trial.number("frequency") == 0)
        trial.drive(.low, at: 9100)
        trial.drive(.high, at: 10_000)
        #expect(trial.number("frequency") == 1000)
    }

    @Test func anActiveBuzzerSoundsWithAHighLevel() throws {
        var trial = try PartTrial("buzzer", settings: ["type": .text("active")])
        trial.drive(.high, at: 0)
        #expect(trial.reading("state") == .word("sounding") && trial.number("frequency") == 2300)
        trial.drive(.low, at: 1)
        #expect(trial.reading("state") == .word("silent"))
    }
}

@Suite struct ServoTests {
    /// 50 Hz with a pulse in microseconds.
    private func pulse(_ microseconds: Double) -> PWMSignal {
        PWMSignal(millihertz: 50_000, duty: microseconds / 20_000)
    }

    private func isNear(_ value: Double?, _ expected: Double) -> Bool {
        value.map { abs($0 - expected) < 0.01 } ?? false
    }

    @Test(arguments: [(544.0, 0.0), (1472, 90), (2400, 180), (300, 0), (2600, 180)])
    func thePulseIsTheAngle(_ microseconds: Double, _ degrees: Double) throws {
        var trial = try PartTrial("servo", settings: ["start": .number(45)])
        trial.pwm(pulse(microseconds), at: 0)
        #expect(isNear(trial.number("target"), degrees))
        trial.run(to: 1_000_000)
        #expect(isNear(trial.number("angle"), degrees))
    }

    @Test func itTurnsSixtyDegreesInATenthOfASecond() throws {
        var trial = try PartTrial("servo")
        trial.pwm(pulse(1472), at: 0)
        #expect(trial.number("angle") == 0)
        trial.run(to: 100_000)
        #expect(isNear(trial.number("angle"), 60) && trial.takeChanges() == [0, 1])
        trial.run(to: 149_000)
        #expect(isNear(trial.number("angle"), 89.4))
        trial.run(to: 151_000)
        #expect(isNear(trial.number("angle"), 90) && trial.part.nextDeadline == nil)
        trial.pwm(pulse(544), at: 200_000)
        trial.run(to: 300_000)
        #expect(isNear(trial.number("angle"), 30))
    }

    @Test func withoutPulsesItStays() throws {
        var trial = try PartTrial(
            "servo", settings: ["speed": .number(90), "max": .number(2000), "min": .number(1000)])
        trial.pwm(pulse(2000), at: 0)
        trial.pwm(nil, at: 1_000_000)
        trial.run(to: 5_000_000)
        #expect(isNear(trial.number("angle"), 90) && isNear(trial.number("target"), 90))
        #expect(trial.faults.isEmpty)
        trial.pwm(PWMSignal(millihertz: 5_000_000, duty: 0.5), at: 5_000_000)
        #expect(trial.faults == ["pulses at 5000.0 Hz: a servo expects 50 Hz, at most 400 Hz"])
        #expect(throws: PartFault.self) { try PartTrial("servo", settings: ["min": .number(2500)]) }
    }
}
