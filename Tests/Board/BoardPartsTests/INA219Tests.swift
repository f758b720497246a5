import BoardParts
import Testing

/// Numbers of TI's data sheet INA219, SBOS448.
struct INA219Tests {
    /// Table 8: 11.98 V, 10 A through 2 mOhm, calibration 20480: 2000, 0x5D98, 5990 and 10000.
    @Test func exampleOfTheDataSheet() throws {
        let bus = try I2CMaster("ina219", settings: ["shunt": .number(0.002)])
        try bus.set("voltage", 11.98)
        try bus.set("current", 10)
        bus.write(5, 0x50, 0x00)
        bus.wait(.milliseconds(3))
        #expect(number(bus.read(1, 2)) == 2000)
        #expect(number(bus.read(2, 2)) & 0xFFF8 == 0x5D98)
        #expect(number(bus.read(2, 2)) & 3 == 2, "the conversion is ready, without an overflow")
        #expect(number(bus.read(4, 2)) == 10000)
        #expect(number(bus.read(3, 2)) == 5990)
        #expect(number(bus.read(2, 2)) & 2 == 0, "reading the power clears the bit")
    }

    @Test func registersAndReset() throws {
        let bus = try I2CMaster("ina219", address: 0x4F, settings: ["shunt": .number(0.1)])
        #expect(bus.read(0, 2) == [0x39, 0x9F])
        bus.write(5, 0x10, 0x01)
        #expect(bus.read(5, 2) == [0x10, 0x00])
        bus.write(0, 0x01, 0x9F)
        #expect(bus.read(0, 2) == [0x01, 0x9F])
        bus.write(0, 0x80, 0x00)
        #expect(bus.read(0, 2) == [0x39, 0x9F])
        #expect(bus.read(5, 2) == [0, 0])
    }

    /// Without a calibration, current and power are 0; the gain clips the shunt's voltage at 40 mV.
    @Test func negativeCurrentAndClipping() throws {
        let bus = try I2CMaster("ina219", settings: ["shunt": .number(0.1)])
        try bus.set("current", -0.1)
        bus.wait(.milliseconds(2))
        #expect(bus.read(1, 2) == [0xFC, 0x18])
        #expect(number(bus.read(4, 2)) == 0)
        try bus.set("current", -2)
        bus.write(0, 0x01, 0x9F)
        bus.wait(.milliseconds(2))
        #expect(signed(bus.read(1, 2)) == -4000)
        // The range of 16 V.
        try bus.set("voltage", 20)
        bus.wait(.milliseconds(2))
        #expect(number(bus.read(2, 2)) >> 3 == 4000)
    }

    /// Table 5: 128 samples of each take 2 * 68.1 ms.
    @Test func averages() throws {
        let bus = try I2CMaster("ina219", settings: ["shunt": .number(0.1)])
        bus.write(0, 0x3F, 0xFF)
        bus.wait(.milliseconds(136))
        #expect(number(bus.read(1, 2)) == 0)
        bus.wait(.milliseconds(1))
        #expect(number(bus.read(1, 2)) == 1000)
    }

    /// Mode 3 converts once, in twice 532 us with 12 bits; mode 0 never.
    @Test func triggeredConversion() throws {
        let bus = try I2CMaster("ina219", settings: ["shunt": .number(0.1)])
        bus.write(0, 0x39, 0x98)
        bus.wait(.milliseconds(10))
        #expect(number(bus.read(1, 2)) == 0)
        bus.write(0, 0x39, 0x9B)
        bus.wait(.microseconds(900))
        #expect(number(bus.read(2, 2)) & 2 == 0)
        bus.wait(.microseconds(200))
        #expect(number(bus.read(2, 2)) & 2 == 2)
        try bus.set("current", 0.2)
        bus.wait(.milliseconds(10))
        #expect(number(bus.read(1, 2)) == 1000)
    }
}
