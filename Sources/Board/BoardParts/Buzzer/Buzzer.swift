import MonotonicTime

/// A buzzer: a passive one sounds with the signal at its pin, an active one with its own frequency.
final class Buzzer: PinPart, PWMPart {
    static let kind: PartKind = .init(
        name: "buzzer",
        summary: "buzzer",
        source: "passive and active 12 mm buzzers (TMB12A05: 2300 Hz)",
        terminals: [.init("pin", "The pin that drives the buzzer.")],
        readings: [
            .init("state", .words(["silent", "sounding"]), "Sounding from 20 Hz to 20 kHz."),
            .init("frequency", .number(unit: "Hz"), "The frequency, 0 if it is silent."),
        ],
        settings: [
            .init("type", .word(["passive", "active"]), "Passive: it needs a signal; active: a high level sounds."),
            .init("frequency", .number(20...20_000, initial: 2300), "The frequency of an active buzzer in hertz."),
        ],
        limits: [
            "An active buzzer with a PWM signal sounds as with a high level.",
            "The frequency of levels that the sketch changes itself is that of the last period, in whole hertz; two "
                + "periods after the last rising edge it is silent.",
        ],
        make: { wiring in Buzzer(wiring) })

    var quantities: [QuantityCourse] = []
    /// The frequency of an active buzzer.
    private let own: Double?
    private var signal: PWMSignal?
    private var level = PinDrive.floating
    private var lastRise: MonotonicInstant?
    private var period: Duration?
    private var shown = 0.0

    init(_ wiring: PartWiring) { own = wiring.text("type") == "active" ? wiring.number("frequency") : nil }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        for change in changes where change.drive != level {
            if let end = nextDeadline, end <= change.time { (lastRise, period) = (nil, nil) }
            level = change.drive
            guard level == .high else { continue }
            period = lastRise.map { $0.duration(to: change.time) }
            lastRise = change.time
        }
        update(&effects)
    }

    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects) {
        self.signal = signal
        (lastRise, period) = (nil, nil)
        update(&effects)
    }

    /// The time from which a missing edge means silence.
    var nextDeadline: MonotonicInstant? {
        guard own == nil, let lastRise, let period, period <= .milliseconds(50) else { return nil }
        return lastRise.advanced(by: period * 2)
    }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        if let end = nextDeadline, end <= time { (lastRise, period) = (nil, nil) }
        update(&effects)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        index == 0 ? .word(shown > 0 ? "sounding" : "silent") : .number(shown)
    }

    private func update(_ effects: inout PartEffects) {
        let sound = sound
        guard sound != shown else { return }
        if (sound > 0) != (shown > 0) { effects.change(0) }
        effects.change(1)
        shown = sound
    }

    private var sound: Double {
        if let own { return signal.map { $0.duty > 0 } ?? (level == .high) ? own : 0 }
        var frequency = 0.0
        if let signal {
            frequency = signal.duty > 0 && signal.duty < 1 ? signal.frequency : 0
        } else if let period, period > .zero {
            frequency = (1e9 / Double(period.wholeNanoseconds)).rounded()
        }
        return (20...20_000).contains(frequency) ? frequency : 0
    }
}
