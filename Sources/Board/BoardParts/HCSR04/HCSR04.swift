import MonotonicTime

/// An ultrasonic distance sensor: a pulse at its trigger, and the echo's pulse is as long as the sound travelled.
final class HCSR04: PinPart {
    static let kind: PartKind = .init(
        name: "hc-sr04",
        summary: "ultrasonic distance sensor",
        source: "data sheet of the ElecFreaks HC-SR04: trigger of 10 µs, 8 cycles of 40 kHz, 2 cm to 4 m; the 450 µs "
            + "from the trigger's end to the echo and the 38 ms without one are measured",
        terminals: [
            .init("trigger", "The trigger's pin (TRIG)."),
            .init("echo", "The pin that gets the echo's pulse (ECHO)."),
        ],
        quantities: [
            .init("distance", "cm", 2...1000, initial: 100, "The distance of the obstacle; above 400 no echo returns.")
        ],
        limits: [
            "The speed of sound is 343 m/s, as in air of 20 °C: 58.3 µs per centimetre.",
            "Without an echo the pulse lasts 38 ms; some modules take 200 ms.",
        ],
        make: { wiring in HCSR04(wiring) })

    /// From the end of the trigger to the beginning of the echo's pulse: 8 periods of 40 kHz, then about 250 µs.
    static let burst = Duration.microseconds(200 + 250)
    /// There and back at 343 m/s.
    static let nanosecondsPerCentimetre = 2e7 / 343
    static let noEcho = Duration.milliseconds(38)

    var quantities = HCSR04.kind.initialCourses
    private var isPowered = true
    private var triggered: MonotonicInstant?
    /// The end of the last echo's pulse: until then the trigger has no effect.
    private var end = MonotonicInstant.zero

    init(_ wiring: PartWiring) {}

    var answersPins: Bool { true }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPowered = isOn
        triggered = nil
        end = time
        effects.cancel(1)
        effects.drive(1, isOn ? .low : .floating, at: time)
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard terminal == 0, isPowered else { return }
        for change in changes {
            if change.drive == .high {
                triggered = triggered ?? change.time
            } else if let start = triggered {
                triggered = nil
                trigger(for: start.duration(to: change.time), at: change.time, &effects)
            }
        }
    }

    private func trigger(for length: Duration, at time: MonotonicInstant, _ effects: inout PartEffects) {
        guard time >= end, length > .zero else { return }
        guard length >= .microseconds(10) else {
            effects.report("a trigger of \(Double(length.wholeNanoseconds) / 1000) µs: expected at least 10 µs")
            return
        }
        let start = time.advanced(by: Self.burst)
        let distance = quantity(0, at: time).clamped(to: 2...1000)
        let echo =
            distance > 400
            ? Self.noEcho : .nanoseconds(Int64((distance * Self.nanosecondsPerCentimetre).rounded()))
        end = start.advanced(by: echo)
        effects.drive(1, .high, at: start)
        effects.drive(1, .low, at: end)
    }
}
