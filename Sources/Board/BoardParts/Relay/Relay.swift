import MonotonicTime

/// A relay module: a transistor drives the coil.
final class Relay: PinPart, PWMPart {
    static let kind: PartKind = .init(
        name: "relay",
        summary: "relay module",
        source: "modules with a Songle SRD-05VDC-SL-C and a transistor or an optocoupler",
        terminals: [.init("pin", "The module's input (IN).")],
        readings: [.init("state", .words(["off", "on"]), "On if the coil is energised.")],
        settings: [.active("high", "low", "The level that energises the coil.")],
        limits: [
            "It switches at once; the real one takes up to 10 ms.",
            "A PWM signal energises it if that is active for more than half of the time.",
        ],
        make: { wiring in Relay(wiring) })

    var quantities: [QuantityCourse] = []
    private var output: OutputTerminal
    private var isPowered = true
    private var isOn = false

    init(_ wiring: PartWiring) { output = OutputTerminal(isActiveLow: wiring.text("active") == "low") }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        output.receive(changes)
        update(&effects)
    }

    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects) {
        output.pwm = signal
        update(&effects)
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPowered = isOn
        update(&effects)
    }

    var nextDeadline: MonotonicInstant? { output.nextDrive }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        output.pass(to: time)
        update(&effects)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .word(isOn ? "on" : "off") }

    private func update(_ effects: inout PartEffects) {
        let energised = isPowered && output.share > 0.5
        if energised != isOn { effects.change(0) }
        isOn = energised
    }
}
