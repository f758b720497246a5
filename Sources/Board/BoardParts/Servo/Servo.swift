import MonotonicTime

/// A hobby servo: the length of the pulses is the angle, to which it turns at a limited speed.
final class Servo: PWMPart {
    static let kind: PartKind = .init(
        name: "servo",
        summary: "servo",
        source: "data sheet of the Tower Pro SG90: 60° in 0.1 s, 50 Hz; pulses as in Arduino's Servo library",
        terminals: [.init("pin", "The signal.")],
        readings: [
            .init("angle", .number(unit: "°"), "The angle of the shaft."),
            .init("target", .number(unit: "°"), "The angle that the pulses ask for."),
        ],
        settings: [
            .init("min", .number(200...2900, initial: 544), "The pulse for 0° in microseconds."),
            .init("max", .number(300...3000, initial: 2400), "The pulse for the other end in microseconds."),
            .init("range", .number(10...3600, initial: 180), "The angle of the other end in degrees."),
            .init("speed", .number(1...100_000, initial: 600), "Degrees per second."),
            .init("start", .number(0...3600, initial: 0), "The angle at the beginning."),
        ],
        limits: [
            "It turns evenly, without acceleration or dead band.",
            "It understands the chip's PWM signals, not pulses that a sketch makes with digitalWrite().",
        ],
        make: { (wiring) throws(PartFault) in try Servo(wiring) })

    var quantities: [QuantityCourse] = []
    private let pulses: ClosedRange<Double>
    private let range: Double
    private let speed: Double
    /// The angle at a time, from which it turns to the target.
    private var from: (angle: Double, time: MonotonicInstant)
    private var target: Double
    private var nextStep: MonotonicInstant?

    init(_ wiring: PartWiring) throws(PartFault) {
        let (low, high) = (wiring.number("min"), wiring.number("max"))
        guard low < high else { throw PartFault("min and max: expected a pulse for min that is shorter than for max") }
        pulses = low...high
        range = max(wiring.number("range"), 0)
        speed = max(wiring.number("speed"), 1)
        target = wiring.number("start").clamped(to: 0...range)
        from = (target, .zero)
    }

    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects) {
        from = (angle(at: time), time)
        var angle = from.angle
        if let signal, signal.duty > 0, signal.duty < 1 {
            if !(40...400).contains(signal.frequency) {
                effects.report("pulses at \(signal.frequency) Hz: a servo expects 50 Hz, at most 400 Hz")
            }
            let pulse = signal.pulse.clamped(to: pulses)
            angle = (pulse - pulses.lowerBound) / (pulses.upperBound - pulses.lowerBound) * range
        }
        if angle != target { effects.change(1) }
        target = angle
        schedule(at: time)
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        if !isOn { pwm(0, nil, at: time, &effects) }
    }

    /// While it turns, the angle is reported with each pulse, every 20 ms, and at its end.
    var nextDeadline: MonotonicInstant? { nextStep }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard let nextStep, nextStep <= time else { return }
        effects.change(0)
        schedule(at: time)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        .number(index == 0 ? angle(at: time) : target)
    }

    /// The time at which it is at its target.
    private var arrival: MonotonicInstant {
        from.time.advanced(by: .nanoseconds(Int64((abs(target - from.angle) / speed * 1e9).rounded(.up))))
    }

    private func angle(at time: MonotonicInstant) -> Double {
        guard time < arrival else { return target }
        let way = max(Double(from.time.duration(to: time).wholeNanoseconds) / 1e9, 0) * speed
        return from.angle + (target > from.angle ? way : -way)
    }

    private func schedule(at time: MonotonicInstant) {
        nextStep = time < arrival ? min(arrival, time.advanced(by: .milliseconds(20))) : nil
    }
}
