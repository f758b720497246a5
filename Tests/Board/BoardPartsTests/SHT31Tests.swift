import BoardParts
import MonotonicTime
import Testing

/// Numbers of Sensirion's data sheet "SHT3x-DIS", version 7.
struct SHT31Tests {
    /// Table 19: the check sum of 0xBEEF is 0x92. 0xBEEF is 0.7458 of the range: 85.51 °C.
    @Test func checkSumOfTheDataSheet() throws {
        let bus = try I2CMaster("sht31")
        try bus.set("temperature", -45 + 175 * Double(0xBEEF) / 65535)
        try bus.set("humidity", 50)
        #expect(bus.write(0x24, 0x00))
        bus.wait(.milliseconds(13))
        // 0x8000 is 50.0008 %; its check sum, as Adafruit's library computes it, is 0xA2.
        #expect(bus.read(6) == [0xBE, 0xEF, 0x92, 0x80, 0x00, 0xA2])
    }

    @Test func withoutAValueAReadIsNotAcknowledged() throws {
        let bus = try I2CMaster("sht31")
        #expect(bus.read(6) == nil)
        #expect(bus.write(0x24, 0x00))
        bus.wait(.milliseconds(12))
        #expect(bus.read(6) == nil)
        bus.wait(.milliseconds(1))
        #expect(bus.read(6) != nil)
        #expect(bus.read(6) == nil, "a value is fetched once")
    }

    @Test func clockStretchingWaitsForTheValue() throws {
        let bus = try I2CMaster("sht31")
        #expect(bus.write(0x2C, 0x10))
        let start = bus.now
        #expect(number(bus.read(2)) == Int((Double(22 + 45) * 65535 / 175).rounded()))
        #expect(start.duration(to: bus.now) >= .microseconds(2500))
        #expect(start.duration(to: bus.now) < .microseconds(2600))
    }

    @Test func periodicModeHasAValueEachSecond() throws {
        let bus = try I2CMaster("sht31", address: 0x45)
        #expect(bus.part.address == 0x45)
        #expect(bus.write(0x21, 0x30))
        bus.wait(.milliseconds(20))
        bus.write(0xE0, 0x00)
        #expect(bus.read(6) != nil)
        try bus.set("temperature", 100)
        bus.wait(.milliseconds(900))
        bus.write(0xE0, 0x00)
        #expect(bus.read(6) == nil)
        bus.wait(.milliseconds(100))
        bus.write(0xE0, 0x00)
        #expect(number(bus.read(2)) == Int((145.0 * 65535 / 175).rounded()))
        #expect(bus.write(0x24, 0x00))
        #expect(bus.faults == ["sht31: a single shot in periodic mode, expected the break command 0x3093 first"])
    }

    @Test func heaterAndStatus() throws {
        let bus = try I2CMaster("sht31")
        #expect(try bus.reading() == .word("off"))
        bus.write(0x30, 0x41)
        bus.write(0x30, 0x6D)
        #expect(try bus.reading("heater") == .word("on"))
        bus.write(0xF3, 0x2D)
        #expect(bus.read(3)?.prefix(2) == [0x20, 0x00])
        bus.write(0x30, 0xA2)
        bus.write(0xF3, 0x2D)
        // After a reset the data sheet's status is 0x8010; its check sum is 0xE1.
        #expect(bus.read(3) == [0x80, 0x10, 0xE1])
    }

    @Test func anUnknownCommandIsAFault() throws {
        let bus = try I2CMaster("sht31")
        #expect(!bus.write(0x12, 0x34))
        #expect(bus.faults == ["sht31: there is no command 0x1234"])
    }
}
