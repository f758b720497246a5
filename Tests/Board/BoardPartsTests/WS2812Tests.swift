import BoardParts
import MonotonicTime
import Testing

@Suite struct WS2812Tests {
    /// A transmission at once, as the RMT peripheral sends it: high and low levels in nanoseconds.
    private func send(
        _ bytes: [UInt8], _ trial: inout PartTrial, at start: Double, zero: Int64 = 400, one: Int64 = 800, bits: Int = 8
    ) -> Double {
        var time = MonotonicInstant.at(start)
        var drives: [TimedDrive] = []
        for byte in bytes {
            for bit in (0..<8).reversed().prefix(bits) {
                let high = byte >> bit & 1 == 1 ? one : zero
                drives.append(TimedDrive(time, .high))
                drives.append(TimedDrive(time.advanced(by: .nanoseconds(high)), .low))
                time = time.advanced(by: .nanoseconds(1250))
            }
        }
        trial.run(to: start)
        trial.transmit(drives)
        return Double(drives.last?.time.nanoseconds ?? 0) / 1000
    }

    private func strip(_ count: Double, _ settings: [String: PartWiring.Value] = [:]) throws -> PartTrial {
        try PartTrial("ws2812", settings: settings.merging(["count": .number(count)]) { $1 })
    }

    @Test func theFirstBytesAreTheFirstLightsGreenRedAndBlue() throws {
        var trial = try strip(3)
        let end = send([0x20, 0x10, 0x30, 0xFF, 0x00, 0x80], &trial, at: 100)
        #expect(trial.part.nextDeadline == .at(end + 50))
        trial.run(to: end + 49.9)
        #expect(trial.reading("colours") == .colours([0, 0, 0]) && trial.takeChanges() == [])
        trial.run(to: end + 50)
        #expect(trial.reading("colours") == .colours([0x102030, 0x00FF80, 0]) && trial.takeChanges() == [0])
        #expect(trial.part.nextDeadline == nil && trial.faults.isEmpty)
        // The same again is no change; a shorter transmission leaves the other lights as they are.
        _ = send([0x20, 0x10, 0x30], &trial, at: 1000)
        trial.run(to: 2000)
        #expect(trial.takeChanges() == [] && trial.reading("colours") == .colours([0x102030, 0x00FF80, 0]))
        trial.power(false, at: 3000)
        #expect(trial.reading("colours") == .colours([0, 0, 0]) && trial.takeChanges() == [0])
    }

    @Test func theOrderAndTheResetAreSettings() throws {
        var trial = try strip(1, ["order": .text("RGB"), "reset": .number(280)])
        let end = send([0x11, 0x22, 0x33], &trial, at: 0)
        trial.run(to: end + 279.9)
        #expect(trial.reading("colours") == .colours([0]))
        trial.run(to: end + 280)
        #expect(trial.reading("colours") == .colours([0x112233]))
    }

    @Test func aPauseBelowTheResetContinuesTheTransmission() throws {
        var trial = try strip(2)
        let end = send([1, 2, 3], &trial, at: 0)
        _ = send([4, 5, 6], &trial, at: end + 49)
        trial.run(to: 1000)
        #expect(trial.reading("colours") == .colours([0x020103, 0x050406]))
        // After a reset the first light is meant again.
        let second = send([7, 8, 9], &trial, at: 2000)
        _ = send([10, 11, 12], &trial, at: second + 51)
        trial.run(to: 3000)
        #expect(trial.reading("colours") == .colours([0x0B0A0C, 0x050406]))
    }

    @Test func framesThatAreAnnouncedAtOnceAreShownInTheirTimes() throws {
        var trial = try strip(1)
        // 24 ones, a pause of 100 µs, 24 zeros.
        let drives = (0..<48).flatMap { bit in
            let start = Double(bit) * 1.25 + (bit < 24 ? 0 : 100)
            return [TimedDrive(.at(start), .high), TimedDrive(.at(start + (bit < 24 ? 0.8 : 0.4)), .low)]
        }
        trial.transmit(drives)
        trial.run(to: 100)
        #expect(trial.reading("colours") == .colours([0xFFFFFF]))
        trial.run(to: 300)
        #expect(trial.reading("colours") == .colours([0]) && trial.part.nextDeadline == nil)
    }

    @Test func lightsBeyondTheEndAreIgnored() throws {
        var trial = try strip(1)
        _ = send([1, 2, 3, 4, 5, 6], &trial, at: 0)
        trial.run(to: 1000)
        #expect(trial.reading("colours") == .colours([0x020103]) && trial.faults.isEmpty)
    }

    /// The limits of both data sheets.
    @Test(
        arguments: [
            (250, 650, true), (550, 950, true), (220, 580, true), (380, 1000, true), (210, 800, false),
            (400, 1010, false),
            (565, 800, false),
        ] as [(Int64, Int64, Bool)])
    func pulsesOutsideTheDataSheetsLimitsAreAFault(_ zero: Int64, _ one: Int64, _ isRight: Bool) throws {
        var trial = try strip(1)
        _ = send([0xA5, 0x5A, 0x0F], &trial, at: 0, zero: zero, one: one)
        trial.run(to: 1000)
        #expect(trial.faults.count == (isRight ? 0 : 1))
        #expect(trial.reading("colours") == .colours([0x5AA50F]))
    }

    @Test func halfALightIsAFault() throws {
        var trial = try strip(1)
        _ = send([1, 2, 0xF0], &trial, at: 0, bits: 4)
        trial.run(to: 1000)
        #expect(trial.faults == ["a transmission ended after 12 of a light's 24 bits"])
        #expect(trial.reading("colours") == .colours([0]))
    }

    @Test func levelsThatTheSketchChangesItselfAreUnderstood() throws {
        var trial = try strip(1)
        for bit in 0..<24 {
            trial.drive(.high, at: Double(bit) * 1.25)
            trial.drive(.low, at: Double(bit) * 1.25 + (bit < 8 ? 0.8 : 0.4))
        }
        trial.run(to: 1000)
        #expect(trial.reading("colours") == .colours([0x00FF00]))
    }
}
