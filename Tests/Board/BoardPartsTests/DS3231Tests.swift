import BoardParts
import MonotonicTime
import Testing

/// Registers of Maxim's data sheet DS3231, 19-5170.
struct DS3231Tests {
    private func clock(_ time: UInt8..., pins: [String: [Int]] = [:]) throws -> I2CMaster {
        let bus = try I2CMaster("ds3231", pins: pins)
        #expect(bus.write([0] + time))
        return bus
    }

    @Test func afterTheFirstPowerOn() throws {
        let bus = try I2CMaster("ds3231")
        #expect(bus.read(0x00, 7) == [0, 0, 0, 1, 1, 1, 0])
        // INTCN, RS2 and RS1; the oscillator was stopped (OSF), the 32 kHz output is on.
        #expect(bus.read(0x0E, 2) == [0x1C, 0x88])
        bus.write(0x0F, 0x08)
        #expect(bus.read(0x0F, 1) == [0x08])
        bus.write(0x0F, 0x8B)
        #expect(bus.read(0x0F, 1) == [0x08], "flags can only be cleared")
    }

    @Test(
        arguments: [
            // time, seconds to wait, time after it
            ([0x58, 0x59, 0x23, 6, 0x31, 0x12, 0x99], 2, [0x00, 0x00, 0x00, 7, 0x01, 0x81, 0x00]),
            ([0x59, 0x59, 0x23, 7, 0x28, 0x02, 0x24], 1, [0x00, 0x00, 0x00, 1, 0x29, 0x02, 0x24]),
            ([0x59, 0x59, 0x23, 7, 0x28, 0x02, 0x25], 1, [0x00, 0x00, 0x00, 1, 0x01, 0x03, 0x25]),
            ([0x59, 0x59, 0x23, 7, 0x30, 0x09, 0x25], 1, [0x00, 0x00, 0x00, 1, 0x01, 0x10, 0x25]),
            ([0x59, 0x59, 0x23, 7, 0x31, 0x08, 0x25], 1, [0x00, 0x00, 0x00, 1, 0x01, 0x09, 0x25]),
            ([0x59, 0x59, 0x71, 7, 0x30, 0x07, 0x25], 1, [0x00, 0x00, 0x52, 1, 0x31, 0x07, 0x25]),
            ([0x59, 0x59, 0x51, 7, 0x30, 0x07, 0x25], 1, [0x00, 0x00, 0x72, 7, 0x30, 0x07, 0x25]),
            ([0x00, 0x00, 0x12, 3, 0x15, 0x06, 0x25], 93_784, [0x04, 0x03, 0x14, 4, 0x16, 0x06, 0x25]),
        ] as [([UInt8], Int, [UInt8])])
    func timePasses(_ start: [UInt8], _ seconds: Int, _ end: [UInt8]) throws {
        let bus = try I2CMaster("ds3231")
        bus.wait(.milliseconds(700))
        bus.write([0] + start)
        bus.wait(.seconds(seconds))
        let time = bus.read(0x00, 7)
        // 11:59:59 AM and PM in 12-hour mode: the day changes after PM only.
        #expect(time == end)
    }

    @Test func secondsAreCountedFromTheirWriting() throws {
        let bus = try I2CMaster("ds3231")
        bus.wait(.milliseconds(900))
        bus.write(0x00, 0x30)
        bus.wait(.milliseconds(990))
        #expect(bus.read(0x00, 1) == [0x30])
        bus.wait(.milliseconds(20))
        #expect(bus.read(0x00, 1) == [0x31])
    }

    @Test func theBatteryKeepsTheTime() throws {
        let bus = try clock(0x00, 0x30, 0x12, 1, 0x01, 0x01, 0x25)
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(bus.read(1) == nil)
        bus.wait(.seconds(90))
        bus.perform { bus.part.setPower(true, at: bus.now, &$0) }
        #expect(bus.read(0x00, 3) == [0x30, 0x31, 0x12])
    }

    /// A read is of its START: 10:59:59 and 11:00:00 do not mix.
    @Test func aReadIsNotTorn() throws {
        let bus = try clock(0x59, 0x59, 0x10)
        bus.wait(.milliseconds(999))
        bus.write([0], stop: false)
        let start = bus.now
        #expect(bus.perform { bus.part.begin(isRead: true, at: start, &$0) })
        bus.perform { bus.part.advance(to: start.advanced(by: .seconds(1)), &$0) }
        let bytes = (0..<3).map { byte in
            bus.perform { bus.part.read(at: start.advanced(by: .seconds(byte)), &$0) }
        }
        #expect(bytes == [0x59, 0x59, 0x10])
    }

    /// Table 2: A1M1...A1M4 and A2M2...A2M4.
    @Test func anAlarmPullsThePinLow() throws {
        let bus = try clock(0x00, 0x00, 0x12, 2, 0x15, 0x06, 0x25, pins: ["int": [4]])
        #expect(bus.part.nextDeadline == nil, "without an alarm no turn is needed")
        // Seconds match 10; minutes, hours and date do not matter.
        bus.write(0x07, 0x10, 0x80, 0x80, 0x80)
        bus.write(0x0E, 0x05)
        bus.wait(.milliseconds(9_900))
        #expect(bus.drives[0] != .low)
        bus.wait(.milliseconds(200))
        #expect(bus.drives[0] == .low)
        #expect(bus.read(0x0F, 1) == [0x89])
        bus.write(0x0F, 0x00)
        #expect(bus.drives[0] == .floating)
        bus.wait(.seconds(60))
        #expect(bus.drives[0] == .low)
        // Alarm 2 at 12:02 of day 2; alarm 1 off.
        bus.write(0x0B, 0x02, 0x12, 0x42)
        bus.write(0x0E, 0x06, 0x00)
        #expect(bus.drives[0] == .floating)
        bus.wait(.seconds(49))
        #expect(bus.drives[0] == .floating)
        bus.wait(.seconds(1))
        #expect(bus.drives[0] == .low)
        #expect(bus.read(0x0F, 1) == [0x02])
    }

    /// "the temperature is 25.25 °C: 00011001 01"; it is converted every 64 s, or when CONV is written.
    @Test func temperature() throws {
        let bus = try I2CMaster("ds3231")
        #expect(bus.read(0x11, 2) == [22, 0])
        try bus.set("temperature", 25.25)
        #expect(bus.read(0x11, 2) == [22, 0])
        bus.write(0x0E, 0x3C)
        bus.wait(.milliseconds(100))
        #expect(bus.read(0x0E, 2) == [0x3C, 0x8C])
        bus.wait(.milliseconds(100))
        #expect(bus.read(0x0E, 2) == [0x1C, 0x88])
        #expect(bus.read(0x11, 2) == [0b0001_1001, 0b0100_0000])
        try bus.set("temperature", -10.5)
        bus.wait(.seconds(64))
        #expect(bus.read(0x11, 2) == [0xF5, 0x80])
        try bus.set("temperature", 1)
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        bus.perform { bus.part.setPower(true, at: bus.now, &$0) }
        #expect(bus.read(0x11, 2) == [1, 0], "it is also converted when power comes on")
    }

    @Test func theAddressBeginsAgainAfterTheLastRegister() throws {
        let bus = try clock(0x56, 0x34)
        #expect(bus.read(0x11, 3) == [22, 0, 0x56])
    }
}
