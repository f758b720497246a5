import MonotonicTime

/// Bosch's sensor of temperature, humidity and pressure on I²C: registers, modes and converter values of the data sheet
/// BST-BME280-DS001, revision 1.23. A driver that compensates the values gets the quantities back, to the resolution of
/// the oversampling that it set.
final class BME280: I2CPart {
    /// Its page in the reference.
    static let kind = PartKind(
        name: "bme280", summary: "temperature, humidity and pressure sensor",
        source: "Bosch Sensortec, BST-BME280-DS001, revision 1.23", addresses: [0x76, 0x77],
        quantities: [
            PartKind.Quantity("temperature", "°C", -40...85, initial: 22, "of the air"),
            PartKind.Quantity("humidity", "%", 0...100, initial: 45, "relative humidity of the air"),
            PartKind.Quantity("pressure", "hPa", 300...1100, initial: 1013.25, "of the air"),
        ],
        limits: [
            "It has no SPI.", "Measurements take the typical times (9.1).", "Values have no noise.",
            "The humidity is not filtered, as the pressure and the temperature are, and has its full resolution.",
        ]
    ) { wiring throws(PartFault) in BME280(wiring) }

    /// Addresses of registers (5.3).
    private enum Register {
        static let lowTrimming: UInt8 = 0x88
        static let identifier: UInt8 = 0xD0
        static let reset: UInt8 = 0xE0
        static let highTrimming: UInt8 = 0xE1
        static let humidityControl: UInt8 = 0xF2
        static let status: UInt8 = 0xF3
        static let measurementControl: UInt8 = 0xF4
        static let configuration: UInt8 = 0xF5
        static let data: UInt8 = 0xF7
    }

    private enum Mode {
        case sleep
        case forced
        case normal
    }

    private static let chipIdentifier: UInt8 = 0x60
    private static let resetWord: UInt8 = 0xB6
    /// Time until the trimming values are copied after power on and reset (1.1: start-up time).
    private static let startUp = Duration.milliseconds(2)
    /// Times between measurements in normal mode, in microseconds (table 27).
    private static let standbys: [Int64] = [500, 62_500, 125_000, 250_000, 500_000, 1_000_000, 10_000, 20_000]
    /// Converter values of a skipped measurement, also those after a reset: 0x80000, 0x80000 and 0x8000.
    private static let skipped: [UInt8] = [0x80, 0, 0, 0x80, 0, 0, 0x80, 0]
    /// Cycles in normal mode that are carried out one by one; of more, the first ones are left out.
    private static let observedCycles: Int64 = 64

    /// The 7-bit address.
    let address: UInt8
    /// Temperature in °C, relative humidity in %, pressure in hPa.
    var quantities: [QuantityCourse] {
        didSet { if former == nil { former = oldValue } }
    }
    private var former: [QuantityCourse]?

    private let trimming = BME280Trimming()
    private let lowTrimming: [UInt8]
    private let highTrimming: [UInt8]

    private var hasPower = true
    private var humidityControl: UInt8 = 0
    /// The oversampling of humidity in effect: that of ``humidityControl`` when ctrl_meas was written last (5.4.3).
    private var humidityOversampling: UInt8 = 0
    private var measurementControl: UInt8 = 0
    private var configuration: UInt8 = 0
    private var data = BME280.skipped
    private var started = MonotonicInstant.zero
    /// The end of the running measurement.
    private var end: MonotonicInstant?
    /// The start of the next one in normal mode.
    private var next: MonotonicInstant?
    /// True if ctrl_meas was written during the measurement: it takes effect at its end.
    private var hasNewMode = false
    private var filtered: (temperature: Double, pressure: Double)?

    private var pointer: UInt8 = 0
    private var expectsAddress = true
    private var isReading = false
    /// The data registers as of the START of a read (4.1).
    private var shadow = BME280.skipped

    init(_ wiring: PartWiring) {
        address = wiring.address ?? 0x76
        quantities = Self.kind.quantities.map { .constant($0.initial) }
        lowTrimming = trimming.lowBytes
        highTrimming = trimming.highBytes
    }

    /// Loses all but the trimming values.
    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        hasPower = isOn
        reset(at: time)
    }

    /// Ends the measurements that were due before the change with the former courses.
    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        if let former {
            let current = quantities
            quantities = former
            runMeasurements(to: time)
            quantities = current
        }
        former = nil
        runMeasurements(to: time)
    }

    /// It has no observable states.
    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .number(0) }

    private func reset(at time: MonotonicInstant) {
        (humidityControl, humidityOversampling, measurementControl, configuration) = (0, 0, 0, 0)
        (data, started, end, next, hasNewMode, filtered) = (Self.skipped, time, nil, nil, false, nil)
    }

    // MARK: Measurements

    private var mode: Mode {
        switch measurementControl & 3 {
        case 0: .sleep
        case 3: .normal
        default: .forced
        }
    }

    /// The samples of an oversampling code: 0, 1, 2, 4, 8, 16.
    private static func samples(_ code: UInt8) -> Int64 { code == 0 ? 0 : 1 << Int64(min(code, 5) - 1) }

    private var temperatureSamples: Int64 { Self.samples(measurementControl >> 5) }
    private var pressureSamples: Int64 { Self.samples(measurementControl >> 2 & 7) }
    private var humiditySamples: Int64 { Self.samples(humidityOversampling & 7) }

    /// The typical time of a measurement (9.1).
    private var measurementTime: Duration {
        let (temperature, pressure, humidity) = (temperatureSamples, pressureSamples, humiditySamples)
        return .microseconds(
            1000 + 2000 * temperature + (pressure == 0 ? 0 : 2000 * pressure + 500)
                + (humidity == 0 ? 0 : 2000 * humidity + 500))
    }

    private func runMeasurements(to time: MonotonicInstant) {
        while true {
            if let end, end <= time {
                self.end = nil
                measure(at: end)
                if !hasNewMode, mode == .forced { measurementControl &= ~3 }
                hasNewMode = false
                switch mode {
                case .sleep: next = nil
                case .forced: next = end
                case .normal: next = end.advanced(by: .microseconds(Self.standbys[Int(configuration >> 5)]))
                }
            } else if let start = next, start <= time {
                var start = start
                if mode == .normal {
                    let cycle = (measurementTime + .microseconds(Self.standbys[Int(configuration >> 5)]))
                        .wholeNanoseconds
                    let missed = (time.nanoseconds - start.nanoseconds) / cycle - Self.observedCycles
                    if missed > 0 { start.nanoseconds += missed * cycle }
                }
                next = nil
                end = start.advanced(by: measurementTime)
            } else {
                return
            }
        }
    }

    /// Converts the quantities by the inverse of the compensation.
    private func measure(at time: MonotonicInstant) {
        let strength = Double(1 << min(Int(configuration >> 2 & 7), 4))
        var temperature = Double(0x80000)
        if temperatureSamples > 0 {
            let wanted = quantity(0, at: time) * 5120
            temperature = Double(BME280Trimming.raw(bits: 20, wanted) { trimming.fineTemperature(raw: $0) })
        }
        let fine = trimming.fineTemperature(raw: temperature)
        var pressure = Double(0x80000)
        if pressureSamples > 0 {
            let wanted = quantity(2, at: time) * 100
            pressure = Double(BME280Trimming.raw(bits: 20, wanted) { trimming.pressure(raw: $0, fine: fine) })
        }
        if strength > 1 {
            // 3.4.4: filtered = (filtered * (strength - 1) + value) / strength; the first value starts it.
            let old = filtered ?? (temperature, pressure)
            temperature = (old.temperature * (strength - 1) + temperature) / strength
            pressure = (old.pressure * (strength - 1) + pressure) / strength
            filtered = (temperature, pressure)
        } else {
            filtered = nil
        }
        var humidity = 0x8000
        if humiditySamples > 0 {
            humidity = BME280Trimming.raw(bits: 16, quantity(1, at: time)) { trimming.humidity(raw: $0, fine: fine) }
        }
        data =
            bytes(pressure, pressureSamples, isFiltered: strength > 1)
            + bytes(temperature, temperatureSamples, isFiltered: strength > 1)
            + [UInt8(humidity >> 8), UInt8(humidity & 0xFF)]
    }

    /// Three bytes of a value of 20 bits: 16 of them count without oversampling, one more for each doubling (3.5.1).
    private func bytes(_ raw: Double, _ samples: Int64, isFiltered: Bool) -> [UInt8] {
        let unused = isFiltered || samples == 0 ? 0 : max(4 - Int(samples.trailingZeroBitCount), 0)
        let step = Double(1 << unused)
        let value = Int(min((raw / step).rounded() * step, Double(0x100000) - step))
        return [UInt8(value >> 12), UInt8(value >> 4 & 0xFF), UInt8(value << 4 & 0xF0)]
    }

    // MARK: Bus

    /// START.
    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower else { return false }
        former = nil
        runMeasurements(to: time)
        (isReading, expectsAddress) = (isRead, !isRead)
        if isRead { shadow = data }
        return true
    }

    /// A register's address or its value: writes come in such pairs, without an increment (6.2.1).
    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower, !isReading else { return false }
        if expectsAddress {
            (pointer, expectsAddress) = (byte, false)
            return true
        }
        expectsAddress = true
        former = nil
        runMeasurements(to: time)
        switch pointer {
        case Register.reset: if byte == Self.resetWord { reset(at: time) }
        case Register.humidityControl: humidityControl = byte & 7
        case Register.measurementControl: control(byte, at: time)
        case Register.configuration:
            // 5.4.6: writes in normal mode may be ignored.
            if mode == .normal {
                effects.report("bme280: config was written in normal mode, expected sleep mode: it may be ignored")
            } else {
                configuration = byte & 0xFD
            }
        default: effects.report("bme280: register 0x\(String(pointer, radix: 16, uppercase: true)) cannot be written")
        }
        return true
    }

    private func control(_ byte: UInt8, at time: MonotonicInstant) {
        measurementControl = byte
        humidityOversampling = humidityControl
        guard end == nil else {
            hasNewMode = true
            return
        }
        next = mode == .sleep ? nil : time
        runMeasurements(to: time)
    }

    /// The register at the pointer, which advances.
    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8 {
        guard hasPower else { return 0xFF }
        defer { pointer &+= 1 }
        switch pointer {
        case Register.lowTrimming..<(Register.lowTrimming + UInt8(lowTrimming.count)):
            return lowTrimming[Int(pointer - Register.lowTrimming)]
        case Register.identifier: return Self.chipIdentifier
        case Register.highTrimming..<(Register.highTrimming + UInt8(highTrimming.count)):
            return highTrimming[Int(pointer - Register.highTrimming)]
        case Register.humidityControl: return humidityControl
        case Register.status:
            runMeasurements(to: time)
            return (end == nil ? 0 : 0b1000) | (started.duration(to: time) < Self.startUp ? 1 : 0)
        case Register.measurementControl:
            runMeasurements(to: time)
            return measurementControl
        case Register.configuration: return configuration
        case Register.data..<(Register.data + UInt8(shadow.count)): return shadow[Int(pointer - Register.data)]
        default: return 0
        }
    }
}
