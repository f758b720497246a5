import BLECore
import BLEDescriptions
import Testing

/// TI's published formulas, computed independently in Python (floating point for the TMP006, whole numbers of any size
/// for the T5400).
@Suite("SensorTag's formulas") struct SensorTagTests {
    private func characteristic(_ service: String, _ name: String = "data") throws -> CharacteristicDescription {
        try PeripheralDescription.sensorTag.service(named: service).characteristic(named: name)
    }

    private static func bytes(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test(arguments: [
        (-100, 3200, 27.29692650021525), (40, 2944, 28.787808025294282), (-320, 2688, 16.85354728754703),
    ])
    func objectTemperature(_ object: Int, _ ambient: Int, _ celsius: Double) throws {
        let reading = try characteristic("temperature").decode(Self.bytes([object, ambient]))
        #expect(reading["ambient"]?.number == Double(ambient) / 128)
        #expect(abs(try #require(reading["object"]?.number) - celsius) < 1e-9)
    }

    private static let usual = [45697, 25592, 48894, 36174, 8001, 1263, -1695, -2720]

    @Test(arguments: [
        (usual, -1000, 33000, 22.26, 992.0), (usual, 0, 0, 24.99, 12.63), (usual, -32768, 65535, -64.26, 1627.44),
        (usual, 32767, 65535, 114.24, 2342.39), (usual, -2000, 34500, 19.54, 1030.84),
        // What overflows 32 bits on the way.
        ([65535, 65535, 65535, 65535, -32768, -32768, 32767, -32768], -32768, 65535, -64.0, 1433.53),
    ])
    func pressure(_ coefficients: [Int], _ temperature: Int, _ pressure: Int, _ celsius: Double, _ hPa: Double) throws {
        var context = DecodingContext()
        let data = try characteristic("barometer")
        let bytes = Self.bytes([temperature, pressure])
        let missing = #expect(throws: DescriptionError.self) { try data.decode(bytes, context) }
        #expect(missing?.code == .missingContext)
        #expect(missing?.description.contains("'c1'") == true)
        context.note(try characteristic("barometer", "calibration").decode(Self.bytes(coefficients)))
        let reading = try data.decode(bytes, context)
        #expect(abs(try #require(reading["temperature"]?.number) - celsius) < 1e-9)
        #expect(abs(try #require(reading["pressure"]?.number) - hPa) < 1e-9)
    }

    @Test func humidityMotionAndKeys() throws {
        let humidity = try characteristic("humidity").decode(Self.bytes([0x6666, 0x5EB7]))
        let celsius: Double = 175.72 * 26214 / 65536 - 46.85
        #expect(abs(try #require(humidity["temperature"]?.number) - celsius) < 1e-12)
        // Without the two status bits.
        let percent: Double = 125.0 * Double(0x5EB4) / 65536 - 6
        #expect(abs(try #require(humidity["relative"]?.number) - percent) < 1e-12)
        let acceleration = try characteristic("acceleration")
        #expect(try acceleration.decode([64, 0xC0, 32])["y"]?.number == -1)
        var context = DecodingContext()
        context.note(try characteristic("acceleration", "range").decode([3]))
        #expect(try acceleration.decode([64, 0xC0, 32], context)["x"]?.number == 4)
        #expect(try characteristic("rotation").decode(Self.bytes([-32768, 0, 13107]))["x"]?.number == -250)
        #expect(try characteristic("magnetism").decode(Self.bytes([-32768, 0, 0]))["x"]?.number == -1000)
        #expect(try characteristic("keys", "state").decode([2]).text == "state 2, right 0, left 1")
        let identifier = try characteristic("device", "system_id")
        #expect(
            try identifier.decode([1, 2, 3, 0xFE, 0xFF, 4, 5, 6])["system_id"]
                == .bytes([6, 5, 4, 0xFF, 0xFE, 3, 2, 1]))
    }
}
