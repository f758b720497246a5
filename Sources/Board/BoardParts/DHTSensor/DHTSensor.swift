import MonotonicTime

/// A temperature and humidity sensor of the DHT family: the chip pulls the line low as a start signal, and the sensor
/// answers with 40 bits, the length of whose high levels is their value.
final class DHTSensor: PinPart {
    static let dht22: PartKind = .init(
        name: "dht22",
        summary: "temperature and humidity sensor DHT22 (AM2302)",
        source: "data sheet of the Aosong AM2302 (DHT22)",
        terminals: terminals,
        quantities: [
            .init("temperature", "°C", -40...80, initial: 20, "The temperature, sent in tenths of a degree."),
            .init("humidity", "%", 0...100, initial: 50, "The relative humidity, sent in tenths of a percent."),
        ],
        limits: limits + ["It converts when it is asked; the real one then sends the values of the time before."],
        make: { _ in DHTSensor(.dht22) })

    static let dht11: PartKind = .init(
        name: "dht11",
        summary: "temperature and humidity sensor DHT11",
        source: "data sheet of the Aosong DHT11",
        terminals: terminals,
        quantities: [
            .init(
                "temperature", "°C", -20...60, initial: 20,
                "The temperature, sent in tenths of a degree; below 0 the top bit of the tenths is set."),
            .init("humidity", "%", 5...95, initial: 50, "The relative humidity, sent in whole percent."),
        ],
        limits: limits + ["Older ones measure from 0 °C to 50 °C in whole degrees."],
        make: { _ in DHTSensor(.dht11) })

    private static let terminals: [PartKind.Terminal] = [
        .init("pin", hasPullUp: true, "The data line, with the module's pull-up resistor.")
    ]
    private static let limits = ["In the first second after the supply came on it does not answer."]

    /// The data sheets' differences.
    struct Model {
        var isDHT22: Bool
        /// The shortest start signal.
        var start: Duration
        /// The shortest time between two conversions.
        var interval: Duration

        /// At least 1 ms of start signal, of which the sensor needs 0.8 ms; at least 18 ms, of which a `delay(18)` that
        /// ends at a tick is enough.
        static let dht22 = Model(isDHT22: true, start: .microseconds(800), interval: .seconds(2))
        static let dht11 = Model(isDHT22: false, start: .milliseconds(17), interval: .seconds(1))

        /// The five bytes of values.
        func bytes(temperature: Double, humidity: Double) -> [UInt8] {
            let tenths = Int((temperature.clamped(to: -99...99) * 10).rounded())
            let size = UInt16(abs(tenths))
            let data: [UInt8]
            if isDHT22 {
                let humid = UInt16((humidity.clamped(to: 0...100) * 10).rounded())
                let signed = size | (tenths < 0 ? 0x8000 : 0)
                data = [UInt8(humid >> 8), UInt8(humid & 0xFF), UInt8(signed >> 8), UInt8(signed & 0xFF)]
            } else {
                let humid = UInt8(humidity.clamped(to: 0...100).rounded())
                data = [humid, 0, UInt8(size / 10), UInt8(size % 10) | (tenths < 0 ? 0x80 : 0)]
            }
            return data + [data.reduce(0, &+)]
        }
    }

    /// From the end of the start signal to the answer: 20 µs to 40 µs.
    static let pause = Duration.microseconds(40)
    /// The low and the high level of the answer, each.
    static let response = Duration.microseconds(80)
    /// The low level before each bit, and at the end.
    static let gap = Duration.microseconds(50)
    static let zero = Duration.microseconds(26)
    static let one = Duration.microseconds(70)

    var quantities: [QuantityCourse]
    private let model: Model
    private var isPowered = true
    /// When the supply came on; `nil`: long ago.
    private var poweredAt: MonotonicInstant?
    private var lowSince: MonotonicInstant?
    /// The end of the last transmission.
    private var end = MonotonicInstant.zero
    /// The last conversion.
    private var conversion: (time: MonotonicInstant, bytes: [UInt8])?

    init(_ model: Model) {
        self.model = model
        quantities = (model.isDHT22 ? Self.dht22 : Self.dht11).initialCourses
    }

    var answersPins: Bool { true }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPowered = isOn
        poweredAt = isOn ? time : nil
        (lowSince, conversion, end) = (nil, nil, time)
        effects.cancel(0)
        effects.drive(0, .floating, at: time)
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard isPowered else { return }
        for change in changes {
            if change.drive == .low {
                lowSince = lowSince ?? change.time
            } else if let start = lowSince {
                lowSince = nil
                if change.time >= end { respond(to: start.duration(to: change.time), at: change.time, &effects) }
            }
        }
    }

    private func respond(to low: Duration, at time: MonotonicInstant, _ effects: inout PartEffects) {
        guard low >= model.start else {
            if low > .zero {
                let needed = model.isDHT22 ? "1 ms" : "18 ms"
                effects.report(
                    "a start signal of \(Double(low.wholeNanoseconds) / 1000) µs: expected at least \(needed)")
            }
            return
        }
        if let poweredAt, poweredAt.duration(to: time) < .seconds(1) {
            effects.report("a start signal in the first second after the supply came on: the sensor is not ready")
            return
        }
        var cursor = time.advanced(by: Self.pause)
        func drive(_ drive: PinDrive, for duration: Duration, _ effects: inout PartEffects) {
            effects.drive(0, drive, at: cursor)
            cursor = cursor.advanced(by: duration)
        }
        drive(.low, for: Self.response, &effects)
        drive(.floating, for: Self.response, &effects)
        for byte in values(at: time) {
            for bit in (0..<8).reversed() {
                drive(.low, for: Self.gap, &effects)
                drive(.floating, for: byte >> bit & 1 == 1 ? Self.one : Self.zero, &effects)
            }
        }
        drive(.low, for: Self.gap, &effects)
        effects.drive(0, .floating, at: cursor)
        end = cursor
    }

    private func values(at time: MonotonicInstant) -> [UInt8] {
        if let conversion, conversion.time.duration(to: time) < model.interval { return conversion.bytes }
        let bytes = model.bytes(temperature: quantity(0, at: time), humidity: quantity(1, at: time))
        conversion = (time, bytes)
        return bytes
    }
}
