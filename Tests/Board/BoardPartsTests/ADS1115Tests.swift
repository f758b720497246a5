import BoardParts
import Testing

/// Numbers of TI's data sheet ADS1115, SBAS444.
struct ADS1115Tests {
    @Test func registersAfterAReset() throws {
        let bus = try I2CMaster("ads1115")
        #expect((0..<4).map { number(bus.read(UInt8($0), 2)) } == [0, 0x8583, 0x8000, 0x7FFF])
    }

    /// A conversion at 128 per second takes 7.8 ms; OS is 0 meanwhile.
    @Test func oneConversion() throws {
        let bus = try I2CMaster("ads1115")
        try bus.set("a1", 1.024)
        // AIN1, +-2.048 V, single shot.
        bus.write(1, 0xD5, 0x83)
        #expect(bus.read(1, 2) == [0x55, 0x83])
        bus.wait(.microseconds(7_500))
        #expect(number(bus.read(0, 2)) == 0)
        bus.wait(.microseconds(500))
        #expect(bus.read(1, 2) == [0xD5, 0x83])
        #expect(bus.read(0, 2) == [0x40, 0x00])
    }

    /// Table 8-3: the multiplexer; table 7-3: the codes of full scale.
    @Test(arguments: [
        (0, 2, -8000), (1, 2, -24000), (2, 2, -16000), (3, 2, -8000), (4, 2, 8000), (5, 2, 16000), (6, 2, 24000),
        (7, 2, 32000), (7, 0, 10667), (7, 1, 16000), (7, 3, 32767), (0, 3, -16000), (0, 4, -32000), (0, 5, -32768),
    ])
    func inputsAndGains(_ input: Int, _ gain: Int, _ code: Int) throws {
        let bus = try I2CMaster("ads1115", address: 0x4B)
        for index in 0..<4 { try bus.set("a\(index)", 0.5 * Double(index + 1)) }
        bus.write(1, 0x81 | UInt8(input << 4) | UInt8(gain << 1), 0xE3)
        bus.wait(.milliseconds(2))
        #expect(signed(bus.read(0, 2)) == code)
    }

    @Test func continuousConversions() throws {
        let bus = try I2CMaster("ads1115")
        bus.write(1, 0x44, 0x03)
        bus.wait(.seconds(100))
        #expect(number(bus.read(0, 2)) == 0)
        try bus.set("a0", 2.0475)
        bus.wait(.milliseconds(126))
        #expect(number(bus.read(0, 2)) == 0x7FF8)
        #expect(bus.read(1, 2) == [0x44, 0x03])
    }

    /// 7.3.7: a traditional comparator with hysteresis, active low after two conversions.
    @Test func comparator() throws {
        let bus = try I2CMaster("ads1115", pins: ["alert": [4]])
        bus.write(2, 0x20, 0x00)
        bus.write(3, 0x40, 0x00)
        bus.write(1, 0x44, 0xE1)
        try bus.set("a0", 1.5)
        bus.wait(.microseconds(1_300))
        #expect(bus.drives[0] != .low, "one conversion is not enough")
        bus.wait(.milliseconds(2))
        #expect(bus.drives[0] == .low)
        try bus.set("a0", 0.75)
        bus.wait(.milliseconds(3))
        #expect(bus.drives[0] == .low, "between the thresholds it stays")
        try bus.set("a0", 0.25)
        bus.wait(.milliseconds(3))
        #expect(bus.drives[0] == .floating)
    }

    @Test func aLatchedAlertEndsWithTheReadOfTheConversion() throws {
        let bus = try I2CMaster("ads1115", pins: ["alert": [4]])
        bus.write(2, 0x20, 0x00)
        bus.write(3, 0x40, 0x00)
        try bus.set("a0", 1.5)
        bus.write(1, 0xC5, 0xE4)
        bus.wait(.milliseconds(2))
        #expect(bus.drives[0] == .low)
        #expect(bus.read(0, 2) == [0x5D, 0xC0])
        #expect(bus.drives[0] == .floating)
    }

    /// 7.3.8: with the signs of the thresholds exchanged, the pin shows the end of a conversion.
    @Test func conversionReady() throws {
        let bus = try I2CMaster("ads1115", pins: ["alert": [4]])
        bus.write(2, 0x00, 0x00)
        bus.write(3, 0x80, 0x00)
        bus.write(1, 0xC5, 0xE0)
        bus.wait(.microseconds(1_100))
        #expect(bus.drives[0] != .low)
        bus.wait(.microseconds(100))
        #expect(bus.drives[0] == .low)
        bus.write(1, 0xC5, 0xE0)
        #expect(bus.drives[0] == .floating)
        // In continuous mode it is a pulse of 8 us.
        bus.write(1, 0x44, 0xE0)
        bus.wait(.microseconds(1_166))
        #expect(bus.drives[0] == .low)
        bus.wait(.microseconds(10))
        #expect(bus.drives[0] == .floating)
    }
}
