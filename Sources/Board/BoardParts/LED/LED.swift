import MonotonicTime

/// A light on a pin. It is on if it is lit at all; its brightness is the share of time.
final class LED: PinPart, PWMPart {
    static let kind: PartKind = .init(
        name: "led",
        summary: "LED",
        source: "an ideal LED with its resistor",
        terminals: [.init("pin", "The pin that drives the LED.")],
        readings: [
            .init("state", .words(["off", "on"]), "On if it is lit at all."),
            .init("brightness", .number(unit: "%"), "The share of time in which it is lit, by the PWM signal's duty."),
        ],
        settings: [.active("high", "low", "The level that lights it: high, it leads to ground; low, to the supply.")],
        limits: [
            "Levels that the sketch changes quickly itself are on and off, not a brightness.",
            "A PWM signal is a steady light at any frequency; below 50 Hz a real one flickers.",
        ],
        make: { wiring in LED(wiring) })

    var quantities: [QuantityCourse] = []
    private var output: OutputTerminal
    private var shown = 0.0

    init(_ wiring: PartWiring) { output = OutputTerminal(isActiveLow: wiring.text("active") == "low") }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        output.receive(changes)
        update(&effects)
    }

    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects) {
        output.pwm = signal
        update(&effects)
    }

    var nextDeadline: MonotonicInstant? { output.nextDrive }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        output.pass(to: time)
        update(&effects)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        index == 0 ? .word(shown > 0 ? "on" : "off") : .number(shown * 100)
    }

    private func update(_ effects: inout PartEffects) {
        let share = output.share
        guard share != shown else { return }
        if (share > 0) != (shown > 0) { effects.change(0) }
        effects.change(1)
        shown = share
    }
}
