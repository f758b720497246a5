import BoardParts
import Testing

/// Registers of InvenSense's RM-MPU-6000A-00, revision 4.2.
struct MPU6050Tests {
    private func awake(pins: [String: [Int]] = [:]) throws -> I2CMaster {
        let bus = try I2CMaster("mpu6050", pins: pins)
        bus.write(0x6B, 0x00)
        bus.wait(.milliseconds(1))
        return bus
    }

    @Test func itSleepsAfterAReset() throws {
        let bus = try I2CMaster("mpu6050", address: 0x69)
        #expect(bus.read(0x75, 1) == [0x68])
        #expect(bus.read(0x6B, 1) == [0x40])
        bus.wait(.milliseconds(100))
        #expect(bus.read(0x3F, 2) == [0, 0])
        bus.write(0x6B, 0x00)
        bus.wait(.milliseconds(1))
        #expect(bus.read(0x3F, 2) == [0x40, 0x00], "1 g at 16384 per g")
        bus.write(0x1C, 0x18)
        bus.write(0x6B, 0x80)
        #expect(bus.read(0x6B, 1) == [0x40])
        #expect(bus.read(0x1C, 1) == [0])
    }

    /// 4.17 to 4.19: accelerations, temperature and rotations in one burst of 14 bytes.
    @Test func aBurstOfEverything() throws {
        let bus = try awake()
        for (name, value) in [
            ("accel_x", -1), ("accel_y", 0.5), ("accel_z", 3), ("gyro_x", 1), ("gyro_y", -100), ("gyro_z", 300),
            ("temperature", 36.53),
        ] { try bus.set(name, value) }
        bus.wait(.milliseconds(1))
        let bytes = try #require(bus.read(0x3B, 14))
        let words = (0..<7).map { signed(Array(bytes[$0 * 2...$0 * 2 + 1])) }
        #expect(words == [-16384, 8192, 32767, 0, 131, -13100, 32767])
        bus.write(0x1B, 0x18, 0x18)
        try bus.set("temperature", -40)
        bus.wait(.milliseconds(1))
        let other = try #require(bus.read(0x3B, 14))
        #expect(
            (0..<7).map { signed(Array(other[$0 * 2...$0 * 2 + 1])) } == [-2048, 1024, 6144, -26020, 16, -1640, 4920])
    }

    @Test func sleepKeepsTheLastValues() throws {
        let bus = try awake()
        bus.write(0x6B, 0x40)
        try bus.set("accel_z", -1)
        bus.wait(.milliseconds(10))
        #expect(bus.read(0x3F, 2) == [0x40, 0x00])
    }

    /// The rate of samples: 1 kHz / (1 + 9) with the low-pass filter.
    @Test func dataReadyInterrupt() throws {
        let bus = try awake(pins: ["int": [4]])
        #expect(bus.part.nextDeadline == nil)
        bus.write(0x19, 9, 1)
        bus.write(0x37, 0x20, 0x01)
        bus.write(0x6B, 0x00)
        _ = bus.read(0x3A, 1)
        bus.wait(.milliseconds(9))
        #expect(bus.drives[0] == .low)
        bus.wait(.milliseconds(1))
        #expect(bus.drives[0] == .high)
        bus.wait(.milliseconds(1))
        #expect(bus.drives[0] == .high, "it is latched")
        #expect(bus.read(0x3A, 1) == [1])
        #expect(bus.drives[0] == .low)
        #expect(bus.read(0x3A, 1) == [0])
        // A pulse of 50 us.
        bus.write(0x37, 0x00)
        bus.wait(.milliseconds(10))
        #expect(bus.drives[0] == .low)
    }
}
