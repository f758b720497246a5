import BoardParts
import Testing

/// Numbers of ROHM's technical note "BH1750FVI", rev. D.
struct BH1750Tests {
    /// "In case the result is 10000011_10010000: 33680 / 1.2 = 28067 lx".
    @Test func exampleOfTheDataSheet() throws {
        let bus = try I2CMaster("bh1750")
        try bus.set("light", 33680.0 / 1.2)
        bus.write(0x01)
        bus.write(0x10)
        bus.wait(.milliseconds(121))
        #expect(bus.read(2) == [0x83, 0x90])
    }

    @Test func theOldValueStaysUntilTheEndOfAMeasurement() throws {
        let bus = try I2CMaster("bh1750")
        #expect(bus.read(2) == [0, 0])
        bus.write(0x20)
        bus.wait(.milliseconds(119))
        #expect(bus.read(2) == [0, 0])
        bus.wait(.milliseconds(1))
        #expect(number(bus.read(2)) == 360)
        try bus.set("light", 1000)
        bus.wait(.seconds(1))
        #expect(number(bus.read(2)) == 360, "it was measured once")
    }

    @Test func aMeasurementThatNobodyReadIsOfItsTime() throws {
        let bus = try I2CMaster("bh1750")
        bus.write(0x20)
        bus.wait(.seconds(1))
        try bus.set("light", 1000)
        #expect(number(bus.read(2)) == 360)
    }

    @Test func measurementsGoOnByThemselves() throws {
        let bus = try I2CMaster("bh1750")
        bus.write(0x10)
        bus.wait(.seconds(3600))
        #expect(number(bus.read(2)) == 360)
        try bus.set("light", 100)
        bus.wait(.milliseconds(121))
        #expect(number(bus.read(2)) == 120)
        bus.write(0x07)
        #expect(number(bus.read(2)) == 0)
    }

    /// The measurement time 138 (0b100_01010) doubles the counts, H-resolution mode 2 doubles them again.
    @Test func measurementTimeAndModeScaleTheCounts() throws {
        let bus = try I2CMaster("bh1750")
        bus.write(0x40 | 138 >> 5)
        bus.write(0x60 | 138 & 0x1F)
        bus.write(0x21)
        bus.wait(.milliseconds(239))
        #expect(number(bus.read(2)) == 0)
        bus.wait(.milliseconds(2))
        #expect(number(bus.read(2)) == 1440)
        // 254 is the longest: 0b111_11110.
        bus.write(0x47)
        bus.write(0x7E)
        bus.write(0x20)
        bus.wait(.milliseconds(450))
        #expect(number(bus.read(2)) == 300 * 12 * 254 / 690)
    }

    @Test func lowResolutionHasStepsOfFour() throws {
        let bus = try I2CMaster("bh1750", address: 0x5C)
        try bus.set("light", 305)
        bus.write(0x23)
        bus.wait(.milliseconds(17))
        #expect(number(bus.read(2)) == 364)
    }
}
