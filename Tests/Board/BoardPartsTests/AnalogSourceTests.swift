import BoardParts
import Testing

@Suite struct AnalogSourceTests {
    private func voltage(
        _ name: String, _ quantity: String, _ value: Double, _ settings: [String: PartWiring.Value] = [:]
    ) throws -> Double {
        var trial = try PartTrial(name, settings: settings)
        trial.set(quantity, value, at: 0)
        return try #require(trial.voltage())
    }

    private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double = 0.0005) -> Bool {
        abs(value - expected) <= tolerance
    }

    @Test func aPotentiometerDividesTheSupply() throws {
        #expect(try isNear(voltage("potentiometer", "position", 25), 0.825, 1e-9))
        #expect(try isNear(voltage("potentiometer", "position", 50, ["supply": .number(5)]), 2.5, 1e-9))
    }

    @Test func aDividerDivides() throws {
        #expect(try isNear(voltage("divider", "voltage", 4.2), 2.1, 1e-9))
        #expect(try isNear(voltage("divider", "voltage", 12, ["ratio": .number(5)]), 2.4, 1e-9))
        #expect(try voltage("voltage", "voltage", 1.234) == 1.234)
    }

    /// Resistances of the NTCLE100E3103, whose β is that between 25 °C and 85 °C: 3977.
    @Test(arguments: [(25.0, 10_000.0), (50, 3605), (85, 1070)])
    func aThermistorHasTheResistanceOfItsTable(_ celsius: Double, _ ohms: Double) throws {
        let low = try voltage("ntc", "temperature", celsius, ["beta": .number(3977)])
        let resistance = 10_000 * low / (3.3 - low)
        #expect(isNear(resistance / ohms, 1, 0.02))
        let high = try voltage("ntc", "temperature", celsius, ["beta": .number(3977), "side": .text("high")])
        #expect(isNear(low + high, 3.3, 1e-9))
    }

    @Test func theDefaultThermistorIsAsTheBetaFormulaSays() throws {
        // R(60 °C) = 10 kΩ · exp(3950 · (1/333.15 - 1/298.15)) = 2486 Ω.
        #expect(try isNear(voltage("ntc", "temperature", 60), 3.3 * 2486 / 12_486, 0.001))
        #expect(try isNear(voltage("ntc", "temperature", 25), 1.65, 1e-9))
    }

    @Test func aPhotoresistorFollowsItsGamma() throws {
        let dark = 3.3 * 10_000 / 1_010_000
        #expect(try isNear(voltage("photoresistor", "illuminance", 10), 3.3 * 10 / 25, 1e-9))
        // Ten times the light: R10 / 10 ^ 0.6 = 3768 Ω.
        #expect(try isNear(voltage("photoresistor", "illuminance", 100), 3.3 * 10_000 / 13_768))
        #expect(try isNear(voltage("photoresistor", "illuminance", 0), dark, 1e-9))
        #expect(try isNear(voltage("photoresistor", "illuminance", 0.000_01), dark, 1e-9))
        #expect(
            try isNear(voltage("photoresistor", "illuminance", 10, ["side": .text("low")]), 3.3 * 15 / 25, 1e-9))
    }
}
