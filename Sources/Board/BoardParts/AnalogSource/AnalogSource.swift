import MonotonicTime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A voltage that follows a quantity: potentiometers, dividers and resistive sensors.
final class AnalogSource: AnalogPart {
    static let potentiometer: PartKind = .init(
        name: "potentiometer",
        summary: "potentiometer between ground and the supply",
        source: "voltage divider: U = supply · position / 100",
        terminals: [.init("pin", "The wiper.")],
        quantities: [.init("position", "%", 0...100, initial: 0, "The wiper's position, from ground.")],
        settings: [supply],
        limits: ["The taper is linear."],
        make: { wiring in
            let supply = wiring.number("supply")
            return AnalogSource(potentiometer) { $0 / 100 * supply }
        })

    static let divider: PartKind = .init(
        name: "divider",
        summary: "voltage behind a divider, such as a battery's",
        source: "voltage divider: U = voltage / ratio, ratio = (R1 + R2) / R2",
        terminals: [.init("pin", "The divider's tap.")],
        quantities: [.init("voltage", "V", 0...100, initial: 0, "The voltage that is divided.")],
        settings: [.init("ratio", .number(1...1000, initial: 2), "(R1 + R2) / R2: 2 with equal resistors.")],
        make: { wiring in
            let ratio = max(wiring.number("ratio"), 1)
            return AnalogSource(divider) { $0 / ratio }
        })

    static let ntc: PartKind = .init(
        name: "ntc",
        summary: "thermistor in a divider",
        source: "beta formula R = R25 · exp(β · (1/T − 1/298.15 K)), as in Vishay's data sheets of NTCs (NTCLE100E3)",
        terminals: [.init("pin", "Between the thermistor and the resistor in series.")],
        quantities: [.init("temperature", "°C", -55...300, initial: 25, "The thermistor's temperature.")],
        settings: [
            .init("nominal", .number(1...10_000_000, initial: 10_000), "R25, the resistance at 25 °C, in ohms."),
            .init("beta", .number(100...10_000, initial: 3950), "β in kelvins."),
            series,
            .init("side", .word(["low", "high"]), "Where the thermistor is: low, to ground; high, to the supply."),
            supply,
        ],
        limits: ["The thermistor neither warms itself nor lags behind."],
        make: { wiring in
            let (nominal, beta) = (wiring.number("nominal"), wiring.number("beta"))
            return AnalogSource(ntc, divider: wiring) { celsius in
                nominal * exp(beta * (1 / (celsius + 273.15) - 1 / 298.15))
            }
        })

    static let photoresistor: PartKind = .init(
        name: "photoresistor",
        summary: "photoresistor in a divider",
        source: "R = R10 · (10 lx / E) ^ γ, at most the dark resistance; defaults: data sheet of the GL5528",
        terminals: [.init("pin", "Between the photoresistor and the resistor in series.")],
        quantities: [.init("illuminance", "lx", 0...200_000, initial: 10, "The light.")],
        settings: [
            .init("r10", .number(1...10_000_000, initial: 15_000), "R10, the resistance at 10 lx, in ohms."),
            .init("gamma", .number(0.1...2, initial: 0.6), "γ, the slope between 10 lx and 100 lx."),
            .init("dark", .number(1...1_000_000_000, initial: 1_000_000), "The resistance in the dark, in ohms."),
            series,
            .init("side", .word(["high", "low"]), "Where the photoresistor is: high, to the supply; low, to ground."),
            supply,
        ],
        limits: ["It does not lag behind the light; the real one takes about 30 ms."],
        make: { wiring in
            let (nominal, gamma, dark) = (wiring.number("r10"), wiring.number("gamma"), wiring.number("dark"))
            return AnalogSource(photoresistor, divider: wiring) { lux in
                lux > 0 ? min(nominal * exp(gamma * log(10 / lux)), dark) : dark
            }
        })

    static let voltage: PartKind = .init(
        name: "voltage",
        summary: "voltage source",
        source: "an ideal source",
        terminals: [.init("pin", "The pin with the voltage.")],
        quantities: [.init("voltage", "V", 0...3.3, initial: 0, "The voltage at the pin.")],
        make: { _ in AnalogSource(voltage) { $0 } })

    private static let supply = PartKind.Setting("supply", .number(0...5, initial: 3.3), "The supply in volts.")
    private static let series = PartKind.Setting(
        "series", .number(1...10_000_000, initial: 10_000), "The resistor in series, in ohms.")

    var quantities: [QuantityCourse]
    private let formula: (Double) -> Double

    init(_ kind: PartKind, _ formula: @escaping (Double) -> Double) {
        quantities = kind.initialCourses
        self.formula = formula
    }

    /// A resistive sensor in a divider with the setting `series`, on the `side` of ground or of the supply.
    convenience init(_ kind: PartKind, divider wiring: PartWiring, _ resistance: @escaping (Double) -> Double) {
        let (series, supply, isHigh) = (wiring.number("series"), wiring.number("supply"), wiring.text("side") == "high")
        self.init(kind) { value in
            let sensor = resistance(value)
            let share = sensor.isFinite ? sensor / (sensor + series) : 1
            return supply * (isHigh ? 1 - share : share)
        }
    }

    func voltage(_ terminal: Int, at time: MonotonicInstant) -> Double { formula(quantity(0, at: time)) }
}
