import MonotonicTime

/// Three LEDs in one housing with a common cathode or anode.
final class RGBLED: PinPart, PWMPart {
    static let kind: PartKind = .init(
        name: "rgb-led",
        summary: "RGB LED on three pins",
        source: "ideal LEDs with their resistors",
        terminals: [
            .init("red", "The pin of the red LED."),
            .init("green", "The pin of the green LED."),
            .init("blue", "The pin of the blue LED."),
        ],
        readings: [.init("colour", .colours, "The colour: 255 times the share of time in which each LED is lit.")],
        settings: [
            .init("common", .word(["cathode", "anode"]), "Cathode: a high level lights an LED; anode: a low one.")
        ],
        limits: ["Levels that the sketch changes quickly itself are on and off, not a brightness."],
        make: { wiring in RGBLED(wiring) })

    var quantities: [QuantityCourse] = []
    private var outputs: [OutputTerminal]
    private var shown: UInt32 = 0

    init(_ wiring: PartWiring) {
        outputs = Array(repeating: OutputTerminal(isActiveLow: wiring.text("common") == "anode"), count: 3)
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard outputs.indices.contains(terminal) else { return }
        outputs[terminal].receive(changes)
        update(&effects)
    }

    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects) {
        guard outputs.indices.contains(terminal) else { return }
        outputs[terminal].pwm = signal
        update(&effects)
    }

    var nextDeadline: MonotonicInstant? {
        .earliest(outputs[0].nextDrive, outputs[1].nextDrive, outputs[2].nextDrive)
    }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        for index in outputs.indices { outputs[index].pass(to: time) }
        update(&effects)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .colours([shown]) }

    private func update(_ effects: inout PartEffects) {
        let colour = outputs.reduce(UInt32(0)) { $0 << 8 | UInt32(($1.share * 255).rounded()) }
        if colour != shown { effects.change(0) }
        shown = colour
    }
}
