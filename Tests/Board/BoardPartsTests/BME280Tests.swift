import BoardParts
import MonotonicTime
import Testing

/// Drives the sensor as the data sheet BST-BME280-DS001 says, and compensates with its integer formulas (4.2.3), which
/// are written here once more, from the data sheet.
struct BME280Tests {
    /// The trimming values as a driver reads them (table 16).
    private struct Trimming {
        var t: [Int64], p: [Int64], h: [Int64]

        init(_ bus: I2CMaster) throws {
            let low = try #require(bus.read(0x88, 26))
            let high = try #require(bus.read(0xE1, 7))
            func word(_ at: Int) -> Int64 { Int64(low[at]) | Int64(low[at + 1]) << 8 }
            func short(_ at: Int) -> Int64 { Int64(Int16(truncatingIfNeeded: word(at))) }
            t = [word(0), short(2), short(4)]
            p = [word(6)] + (1..<9).map { short(6 + 2 * $0) }
            h = [
                Int64(low[25]), Int64(Int16(truncatingIfNeeded: Int(high[0]) | Int(high[1]) << 8)), Int64(high[2]),
                Int64(Int8(bitPattern: high[3])) << 4 | Int64(high[4] & 0xF),
                Int64(Int8(bitPattern: high[5])) << 4 | Int64(high[4] >> 4), Int64(Int8(bitPattern: high[6])),
            ]
        }

        func fine(_ adc: Int64) -> Int64 {
            let first = (((adc >> 3) - (t[0] << 1)) * t[1]) >> 11
            let base = (adc >> 4) - t[0]
            return first + ((((base * base) >> 12) * t[2]) >> 14)
        }

        /// In hundredths of a degree.
        func temperature(_ adc: Int64) -> Int64 { (fine(adc) * 5 + 128) >> 8 }

        /// In pascals, by the version with 64 bits.
        func pressure(_ adc: Int64, _ fine: Int64) -> Double {
            var first = fine - 128000
            var second = first * first * p[5]
            second += (first * p[4]) << 17
            second += p[3] << 35
            first = ((first * first * p[2]) >> 8) + ((first * p[1]) << 12)
            first = ((((1 as Int64) << 47) + first) * p[0]) >> 33
            var result = 1_048_576 - adc
            result = (((result << 31) - second) * 3125) / first
            first = (p[8] * (result >> 13) * (result >> 13)) >> 25
            second = (p[7] * result) >> 19
            result = ((result + first + second) >> 8) + (p[6] << 4)
            return Double(result) / 256
        }

        /// In pascals, by the version with 32 bits (8.2).
        func shortPressure(_ adc: Int64, _ fine: Int64) -> Double {
            let p = p.map { Int32($0) }
            var first = (Int32(fine) >> 1) - 64000
            var second = (((first >> 2) &* (first >> 2)) >> 11) &* p[5]
            second = second &+ ((first &* p[4]) << 1)
            second = (second >> 2) &+ (p[3] << 16)
            first = (((p[2] &* (((first >> 2) &* (first >> 2)) >> 13)) >> 3) &+ ((p[1] &* first) >> 1)) >> 18
            first = ((32768 &+ first) &* p[0]) >> 15
            var result = UInt32(bitPattern: 1_048_576 - Int32(adc) &- (second >> 12)) &* 3125
            let divisor = UInt32(bitPattern: first)
            result = result < 0x8000_0000 ? (result << 1) / divisor : (result / divisor) * 2
            let short = Int32(bitPattern: result >> 3)
            first = (p[8] &* (((short &* short) >> 13))) >> 12
            second = (Int32(bitPattern: result >> 2) &* p[7]) >> 13
            return Double(Int32(bitPattern: result) &+ ((first &+ second &+ p[6]) >> 4))
        }

        /// In percent.
        func humidity(_ adc: Int64, _ fine: Int64) -> Double {
            var value = fine - 76800
            let scaled = ((adc << 14) - (h[3] << 20) - h[4] * value + 16384) >> 15
            let slope =
                ((((((value * h[5]) >> 10) * (((value * h[2]) >> 11) + 32768)) >> 10) + 2_097_152) * h[1] + 8192) >> 14
            value = scaled * slope
            value -= (((((value >> 15) * (value >> 15)) >> 7) * h[0]) >> 4)
            value = min(max(value, 0), 419_430_400)
            return Double(value >> 12) / 1024
        }
    }

    private struct Values {
        var temperature: Double, pressure: Double, shortPressure: Double, humidity: Double
    }

    private func values(_ bus: I2CMaster) throws -> Values {
        let trimming = try Trimming(bus)
        let data = try #require(bus.read(0xF7, 8)).map { Int64($0) }
        let adc = (
            pressure: data[0] << 12 | data[1] << 4 | data[2] >> 4,
            temperature: data[3] << 12 | data[4] << 4 | data[5] >> 4, humidity: data[6] << 8 | data[7]
        )
        let fine = trimming.fine(adc.temperature)
        return Values(
            temperature: Double(trimming.temperature(adc.temperature)) / 100,
            pressure: trimming.pressure(adc.pressure, fine) / 100,
            shortPressure: trimming.shortPressure(adc.pressure, fine) / 100,
            humidity: trimming.humidity(adc.humidity, fine))
    }

    /// One measurement of everything in forced mode, with 16-fold oversampling.
    private func measure(_ bus: I2CMaster) throws -> Values {
        bus.write(0xF2, 5, 0xF4, 0b101_101_01)
        bus.wait(.milliseconds(98))
        return try values(bus)
    }

    /// The example of the data sheet of BMP280 (BST-BMP280-DS001, 3.12): the formulas of this test, before they judge.
    @Test func formulasOfTheDataSheet() throws {
        let trimming = try Trimming(I2CMaster("bme280"))
        #expect(trimming.t == [27504, 26435, -1000])
        #expect(trimming.p == [36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000])
        #expect(trimming.fine(519888) == 128422)
        #expect(trimming.temperature(519888) == 2508)
        #expect(abs(trimming.pressure(415148, 128422) - 100653.27) < 0.3)
        #expect(abs(trimming.shortPressure(415148, 128422) - 100656) < 4)
    }

    @Test(arguments: [-40.0, -12.34, 0, 22, 25.08, 50, 85], [300, 1013.25, 1100])
    func aDriverGetsTheQuantities(_ temperature: Double, _ pressure: Double) throws {
        let bus = try I2CMaster("bme280")
        for humidity in [0, 33.3, 100] {
            try bus.set("temperature", temperature)
            try bus.set("pressure", pressure)
            try bus.set("humidity", humidity)
            let values = try measure(bus)
            #expect(abs(values.temperature - temperature) <= 0.01)
            #expect(abs(values.pressure - pressure) <= 0.005)
            #expect(abs(values.shortPressure - pressure) <= 0.1)
            #expect(abs(values.humidity - humidity) <= 0.02)
        }
    }

    @Test func identifierAndReset() throws {
        let bus = try I2CMaster("bme280", address: 0x77)
        #expect(bus.part.address == 0x77)
        #expect(bus.read(0xD0, 1) == [0x60])
        #expect(bus.read(0xF3, 1) == [1], "the trimming values are being copied")
        bus.wait(.milliseconds(2))
        #expect(bus.read(0xF3, 1) == [0])
        _ = try measure(bus)
        bus.write(0xE0, 0xB6)
        #expect(bus.read(0xF2, 6) == [0, 1, 0, 0, 0, 0x80])
        #expect(bus.read(0xF7, 8) == [0x80, 0, 0, 0x80, 0, 0, 0x80, 0])
    }

    /// 9.1: 1 + 2 * 1 + (2 * 1 + 0.5) + (2 * 1 + 0.5) = 8 ms.
    @Test func aForcedMeasurementTakesItsTime() throws {
        let bus = try I2CMaster("bme280")
        bus.wait(.milliseconds(5))
        bus.write(0xF2, 1, 0xF4, 0b001_001_01)
        bus.wait(.microseconds(7900))
        #expect(bus.read(0xF3, 1) == [8])
        #expect(bus.read(0xF7, 1) == [0x80], "the old value")
        bus.wait(.microseconds(100))
        #expect(bus.read(0xF3, 2) == [0, 0b001_001_00], "it sleeps again")
        let data = try #require(bus.read(0xF7, 8))
        #expect(data[2] == 0 && data[5] == 0, "16 bits without oversampling")
        #expect(abs(try values(bus).temperature - 22) <= 0.005)
    }

    /// 3.3.1: a mode that is written during a measurement follows it.
    @Test func aModeWaitsForTheEndOfAMeasurement() throws {
        let bus = try I2CMaster("bme280")
        bus.write(0xF4, 0b001_000_01)
        bus.write(0xF4, 0b001_000_01)
        bus.wait(.milliseconds(4))
        #expect(bus.read(0xF3, 1) == [8])
        bus.wait(.milliseconds(3))
        #expect(bus.read(0xF3, 2) == [0, 0b001_000_00])
    }

    @Test func normalModeMeasuresAgainAndAgain() throws {
        let bus = try I2CMaster("bme280")
        // 1 s of standby.
        bus.write(0xF5, 0b101_000_00, 0xF4, 0b001_001_11)
        bus.wait(.seconds(3600))
        try bus.set("temperature", 40)
        #expect(abs(try values(bus).temperature - 22) <= 0.01)
        bus.wait(.milliseconds(1010))
        #expect(abs(try values(bus).temperature - 40) <= 0.01)
        bus.write(0xF5, 0)
        #expect(bus.faults == ["bme280: config was written in normal mode, expected sleep mode: it may be ignored"])
        #expect(bus.read(0xF5, 1) == [0b101_000_00])
    }

    /// 5.4.3: ctrl_hum takes effect when ctrl_meas is written.
    @Test func humidityControlWaitsForMeasurementControl() throws {
        let bus = try I2CMaster("bme280")
        bus.write(0xF4, 0b001_001_11)
        bus.write(0xF2, 1)
        bus.wait(.milliseconds(30))
        #expect(bus.read(0xFD, 2) == [0x80, 0])
        bus.write(0xF4, 0b001_001_11)
        bus.wait(.milliseconds(30))
        #expect(bus.read(0xFD, 2) != [0x80, 0])
    }

    @Test func skippedMeasurementsHaveTheirValue() throws {
        let bus = try I2CMaster("bme280")
        bus.write(0xF2, 1, 0xF4, 0b001_000_01)
        bus.wait(.milliseconds(10))
        let data = try #require(bus.read(0xF7, 8))
        #expect(data[0...2] == [0x80, 0, 0])
        #expect(data[3...5] != [0x80, 0, 0])
    }

    /// 4.1: all bytes of a burst are of one measurement.
    @Test func aBurstReadIsOfOneMeasurement() throws {
        let bus = try I2CMaster("bme280")
        bus.write(0xF2, 1, 0xF4, 0b001_001_11)
        bus.wait(.milliseconds(20))
        let before = try #require(bus.read(0xF7, 8))
        bus.write([0xF7], stop: false)
        let start = bus.now
        #expect(bus.perform { bus.part.begin(isRead: true, at: start, &$0) })
        try bus.set("temperature", 60)
        let bytes = (0..<8).map { byte in
            bus.perform { bus.part.read(at: start.advanced(by: .milliseconds(20 * byte)), &$0) }
        }
        #expect(bytes == before)
    }

    /// 3.4.4 and figure 7: of a step, 1 - (3/4)^n is there after n measurements with filter coefficient 4.
    @Test func theFilterFollowsAStepSlowly() throws {
        let bus = try I2CMaster("bme280")
        bus.write(0xF5, 0b000_010_00)
        #expect(abs(try measure(bus).temperature - 22) < 0.01)
        try bus.set("temperature", 62)
        #expect(abs(try measure(bus).temperature - 32) < 0.2)
        #expect(abs(try measure(bus).temperature - 39.5) < 0.3)
    }

    @Test func withoutPowerNothingAnswers() throws {
        let bus = try I2CMaster("bme280")
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(bus.read(0xD0, 1) == nil)
    }
}
