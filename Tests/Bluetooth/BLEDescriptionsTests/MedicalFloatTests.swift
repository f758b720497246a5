import BLEDescriptions
import Testing

/// IEEE 11073-20601 numbers, as the Personal Health Devices Transcoding white paper and the GATT Specification
/// Supplement (2.4, 3.60) encode them.
@Suite("SFLOAT and FLOAT") struct MedicalFloatTests {
    private let characteristic = Sample.values("short: {type: sfloat}\nlong: {type: float}")

    private func decoded(_ short: UInt16, _ long: UInt32) throws -> (Double, Double) {
        let bytes =
            [UInt8(truncatingIfNeeded: short), UInt8(short >> 8)]
            + (0..<4).map { UInt8(truncatingIfNeeded: long >> UInt32(8 * $0)) }
        let reading = try characteristic.decode(bytes)
        return (try #require(reading["short"]?.number), try #require(reading["long"]?.number))
    }

    @Test(
        arguments: [
            (0x0072, 0x0000_0072, 114.0), (0xF16C, 0xFF00_016C, 36.4), (0xE0FE, 0xFE00_00FE, 2.54),
            (0x2003, 0x0200_0003, 300.0), (0x0FFF, 0x00FF_FFFF, -1.0), (0xFF85, 0xFFFF_FF85, -12.3), (0x0000, 0, 0.0),
            (0x07FD, 0x0000_07FD, 2045.0),
        ] as [(UInt16, UInt32, Double)])
    func numbers(_ short: UInt16, _ long: UInt32, _ number: Double) throws {
        let (first, second) = try decoded(short, long)
        #expect(first == number)
        #expect(second == number)
        // And back, in the same form.
        let bytes = try characteristic.encode(["short": .real(number), "long": .real(number)])
        let again = try characteristic.decode(bytes)
        #expect(again["short"]?.number == number)
        #expect(again["long"]?.number == number)
    }

    @Test func specialValues() throws {
        let (infinity, longInfinity) = try decoded(0x07FE, 0x007F_FFFE)
        #expect(infinity == .infinity)
        #expect(longInfinity == .infinity)
        let (negative, longNegative) = try decoded(0x0802, 0x0080_0002)
        #expect(negative == -.infinity)
        #expect(longNegative == -.infinity)
        // Not a number, not at this resolution, reserved.
        for (short, long) in [(0x07FF, 0x007F_FFFF), (0x0800, 0x0080_0000), (0x0801, 0x0080_0001)] {
            let (none, longNone) = try decoded(UInt16(short), UInt32(long))
            #expect(none.isNaN)
            #expect(longNone.isNaN)
        }
    }

    @Test func specialValuesAreEncoded() throws {
        #expect(
            try characteristic.encode(["short": .real(.infinity), "long": .real(-.infinity)])
                == [0xFE, 0x07, 0x02, 0x00, 0x80, 0x00])
        #expect(
            try characteristic.encode(["short": .real(.nan), "long": .real(.nan)])
                == [0xFF, 0x07, 0xFF, 0xFF, 0x7F, 0x00])
        // 36.4 °C, as a thermometer sends it.
        #expect(try characteristic.encode(["long": 36.4]) == [0, 0, 0x6C, 0x01, 0x00, 0xFF])
        #expect(throws: DescriptionError.self) { try characteristic.encode(["short": .real(1e12)]) }
    }
}
