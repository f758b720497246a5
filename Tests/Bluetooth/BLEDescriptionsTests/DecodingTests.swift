import BLECore
import BLEDescriptions
import MonotonicTime
import Testing

@Suite("Decoding of described values") struct DecodingTests {
    @Test func wholeNumbersOfBothOrders() throws {
        let values = Sample.values(
            """
            a: {type: u16}
            b: {type: i24, order: big}
            c: {type: u64}
            d: {type: i8}
            """)
        let reading = try values.decode([0x34, 0x12, 0xFF, 0xFF, 0xFE] + [UInt8](repeating: 0xFF, count: 8) + [0x80])
        #expect(reading["a"] == .integer(0x1234))
        #expect(reading["b"] == .integer(-2))
        #expect(reading["c"] == .integer(Int128(UInt64.max)))
        #expect(reading["d"] == .integer(-128))
    }

    @Test func floatsFlagsTextsAndBytes() throws {
        let values = Sample.values(
            """
            f: {type: float32, order: big}
            g: {type: float64}
            on: {type: bool}
            name: {type: utf8, length: 3}
            rest: {type: bytes}
            """)
        let bytes: [UInt8] = [0x40, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 2, 0x68, 0xC3, 0xA9, 9, 8]
        let reading = try values.decode(bytes)
        #expect(reading["f"] == .real(2.5))
        #expect(reading["g"] == .real(1.5))
        #expect(reading["on"] == .flag(true))
        #expect(reading["name"] == .text("hé"))
        #expect(reading["rest"] == .bytes([9, 8]))
        #expect(reading.text == "f 2.50, g 1.50, on true, name \"hé\", rest 09 08")
        #expect(
            try values.encode(["f": 2.5, "g": 1.5, "on": true, "name": "hé", "rest": .bytes([9, 8])])
                == bytes.enumerated().map { $0.offset == 12 ? 1 : $0.element })
    }

    @Test func shorterAndLongerValuesAreErrors() throws {
        let data = try #require(PeripheralDescription.sensorTag.characteristic(Self.humidity, in: Self.humidityService))
        for count in [0, 1, 3] {
            let error = #expect(throws: DescriptionError.self) {
                try data.decode([UInt8](repeating: 1, count: count))
            }
            #expect(error?.code == .wrongLength)
            #expect(error?.description.contains("got \(count)") == true)
        }
        let error = #expect(throws: DescriptionError.self) { try data.decode([1, 2, 3, 4, 5]) }
        #expect(error?.description == "humidity.data: expected 4 bytes, got 5")
    }

    private static let humidityService = BLEUUID(literal: "F000AA20-0451-4000-B000-000000000000")
    private static let humidity = BLEUUID(literal: "F000AA21-0451-4000-B000-000000000000")

    @Test func utf16CutInHalf() throws {
        let text = Sample.characteristic("type: utf16")
        #expect(try text.decode([0x48, 0, 0xAC, 0x20])["data"] == .text("H\u{20AC}"))
        // Both byte order marks, as Foundation writes one of them.
        #expect(try text.decode([0xFF, 0xFE, 0x48, 0])["data"] == .text("H"))
        #expect(try text.decode([0xFE, 0xFF, 0, 0x48])["data"] == .text("H"))
        #expect(try text.encode("H\u{1F600}") == [0x48, 0, 0x3D, 0xD8, 0, 0xDE])
        let odd = #expect(throws: DescriptionError.self) { try text.decode([0x48, 0, 0xAC]) }
        #expect(odd?.description.contains("even number of bytes, got 3 bytes, cut in half") == true)
        let half = #expect(throws: DescriptionError.self) { try text.decode([0x3D, 0xD8]) }
        #expect(half?.description.contains("half of a surrogate pair") == true)
    }

    /// The examples of the Heart Rate Service and the GATT Specification Supplement (3.113).
    @Test(
        arguments: [
            ([0x00, 0x48], "flags 0, wide 0, contact 0, has_contact 0, has_energy 0, has_intervals 0, rate 72 bpm"),
            (
                [0x01, 0x2C, 0x01],
                "flags 1, wide 1, contact 0, has_contact 0, has_energy 0, has_intervals 0, rate 300 bpm"
            ),
            (
                [0x1E, 0x3C, 0x10, 0x27, 0x00, 0x04, 0x33, 0x03],
                "flags 30, wide 0, contact 1, has_contact 1, has_energy 1, has_intervals 1, rate 60 bpm, energy 10000 kJ, intervals 1.000, 0.800 s"
            ),
        ] as [([UInt8], String)])
    func heartRate(_ bytes: [UInt8], _ text: String) throws {
        let measurement = try #require(PeripheralDescription.heartRate.services.first?.characteristics.first)
        #expect(try measurement.decode(bytes).text == text)
    }

    @Test func heartRateWithHalfAnIntervalIsAnError() throws {
        let measurement = try #require(PeripheralDescription.heartRate.services.first?.characteristics.first)
        #expect(throws: DescriptionError.self) { try measurement.decode([0x10, 0x48, 0x00, 0x04, 0x33]) }
        #expect(throws: DescriptionError.self) { try measurement.decode([0x08, 0x48, 0x00]) }
        #expect(throws: DescriptionError.self) { try measurement.decode([0x01, 0x48]) }
        #expect(throws: DescriptionError.self) { try measurement.decode([0x00, 0x48, 0x00]) }
    }

    @Test func namesRangesAndUnits() throws {
        let level = try #require(PeripheralDescription.battery.services.first?.characteristics.first)
        #expect(try level.decode([87]).text == "87 %")
        let over = try level.decode([120])
        #expect(over.text == "120 % (outside 0 to 100)")
        #expect(over.values.first?.isInRange == false)
        let input = try #require(PeripheralDescription.calculator.services.first?.characteristics.first)
        #expect(try input.decode([9, 6, 2]).text == "a 9, b 6, operation multiply (2)")
        #expect(try input.encode(["a": 9, "b": 6, "operation": "multiply"]) == [9, 6, 2])
        #expect(throws: DescriptionError.self) { try input.encode(["a": 256]) }
        #expect(throws: DescriptionError.self) { try input.encode(["operation": 3]) }
        let unknown = #expect(throws: DescriptionError.self) { try input.encode(["opration": 0]) }
        #expect(unknown?.description.contains("did you mean 'operation'?") == true)
    }

    /// The lengths of all characteristics of the catalogue that have one.
    private static let lengths = [
        "sensortag temperature.data": 4, "sensortag temperature.configuration": 1, "sensortag temperature.period": 1,
        "sensortag acceleration.data": 3, "sensortag acceleration.range": 1, "sensortag acceleration.period": 1,
        "sensortag humidity.data": 4, "sensortag humidity.configuration": 1, "sensortag humidity.period": 1,
        "sensortag magnetism.data": 6, "sensortag magnetism.configuration": 1, "sensortag magnetism.period": 1,
        "sensortag barometer.data": 4, "sensortag barometer.configuration": 1, "sensortag barometer.period": 1,
        "sensortag barometer.calibration": 16,
        "sensortag rotation.data": 6, "sensortag rotation.configuration": 1, "sensortag rotation.period": 1,
        "sensortag keys.state": 1, "sensortag device.system_id": 8,
        "heart-rate heart.location": 1, "heart-rate heart.control_point": 1, "battery battery.level": 1,
        "device-information device.system_id": 8, "device-information device.pnp_id": 7,
        "calculator calculator.input": 3, "calculator calculator.output": 1,
    ]

    /// Bytes that each type can hold.
    private static func pattern(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x10, count: count) }

    @Test func everyOtherLengthThanTheDescribedOneIsAnError() throws {
        var tested: Set<String> = []
        for description in PeripheralDescription.catalogue {
            for service in description.services {
                var context = DecodingContext()
                if let calibration = service.calibration { context.note(try calibration.decode(Self.pattern(16))) }
                for characteristic in service.characteristics {
                    let name = "\(description.name) \(characteristic.path)"
                    let accepted = (0...40).filter { !Self.refusesLength($0, of: characteristic, context) }
                    guard let length = Self.lengths[name] else {
                        #expect(accepted.count > 1, "\(name) has a fixed length")
                        continue
                    }
                    #expect(accepted == [length], "\(name)")
                    _ = try characteristic.decode(Self.pattern(length), context)
                    tested.insert(name)
                }
            }
        }
        #expect(tested == Set(Self.lengths.keys))
    }

    private static func refusesLength(
        _ count: Int, of characteristic: CharacteristicDescription, _ context: DecodingContext
    ) -> Bool {
        do throws(DescriptionError) {
            _ = try characteristic.decode(pattern(count), context)
            return false
        } catch {
            return error.code == .wrongLength
        }
    }

    /// Random bytes of any length give a value or an error of decoding, and no trap.
    @Test func randomBytesAreDecodedOrRefused() {
        var random = SeededRandom(seed: 16)
        let expected: [DescriptionError.Code] = [.wrongLength, .invalidValue, .noResult, .missingContext]
        for description in PeripheralDescription.catalogue {
            for characteristic in description.services.flatMap(\.characteristics) {
                for count in 0..<800 {
                    let bytes = (0..<count % 40).map { _ in UInt8.random(in: 0...255, using: &random) }
                    do throws(DescriptionError) {
                        let reading = try characteristic.decode(bytes)
                        if reading.values.isEmpty != reading.text.isEmpty { Issue.record("\(bytes): \(reading.text)") }
                    } catch {
                        if !expected.contains(error.code) { Issue.record("\(bytes): \(error)") }
                    }
                }
            }
        }
    }
}
