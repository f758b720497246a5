import MonotonicTime

/// A contact between a pin and ground or the supply: a push button or a switch.
final class Button: PinPart {
    static let kind: PartKind = .init(
        name: "button",
        summary: "push button",
        source: "a contact; bouncing times as in Jack Ganssle, A Guide to Debouncing (up to 6.2 ms on average)",
        terminals: [.init("pin", "The pin that the contact connects to ground or to the supply.")],
        quantities: [.init("contact", words: ["released", "pressed"], "The position of the button.")],
        settings: settings,
        limits: limits,
        make: { wiring in Button(wiring, quantities: Button.kind.initialCourses) })

    static let switchKind: PartKind = .init(
        name: "switch",
        summary: "switch",
        source: kind.source,
        terminals: kind.terminals,
        quantities: [.init("contact", words: ["open", "closed"], "The position of the switch.")],
        settings: settings,
        limits: limits,
        make: { wiring in Button(wiring, quantities: Button.switchKind.initialCourses) })

    private static let settings: [PartKind.Setting] = [
        .active("low", "high", "The pin's level with a closed contact: low, a contact to ground; high, to the supply."),
        .init(
            "resistor", .word(["none", "external"]),
            "With `external` a resistor beside the contact gives the pin the other level while it is open."),
        .init("bounce", .number(0...100, initial: 0), "For how many milliseconds the contact bounces at most."),
    ]

    private static let limits = [
        "An external resistor drives the pin like an output: a chip that drives the pin as well is a conflict."
    ]

    var quantities: [QuantityCourse]
    private let contact: Contact
    private let bounce: Double
    private var random: SeededRandom
    private var isClosed = false
    /// The next change of a ramp or a recording.
    private(set) var nextDeadline: MonotonicInstant?

    init(_ wiring: PartWiring, quantities: [QuantityCourse]) {
        self.quantities = quantities
        contact = Contact(wiring)
        bounce = wiring.number("bounce").clamped(to: 0...1000)
        random = SeededRandom(seed: wiring.seed).fork("bounce")
    }

    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        update(at: time, &effects)
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        effects.cancel(0)
        isClosed = quantity(0, at: time) >= 0.5
        nextDeadline = quantities[0].nextCrossing(of: 0.5, after: time)
        effects.drive(0, isOn ? contact.drive(isClosed: isClosed) : contact.unpowered(isClosed: isClosed), at: time)
    }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) { update(at: time, &effects) }

    private func update(at time: MonotonicInstant, _ effects: inout PartEffects) {
        nextDeadline = quantities[0].nextCrossing(of: 0.5, after: time)
        let closes = quantity(0, at: time) >= 0.5
        guard closes != isClosed else { return }
        isClosed = closes
        effects.cancel(0)
        effects.drive(0, contact.drive(isClosed: closes), at: time)
        guard bounce > 0 else { return }
        // An even number of further edges: the contact ends closed, or open, as it should.
        let count = 2 * Int.random(in: 1...4, using: &random)
        let limit = Int64(bounce * 1e6)
        let times = (0..<count).map { _ in Int64.random(in: 1...max(limit, 1), using: &random) }.sorted()
        for (index, after) in times.enumerated() {
            let state = index.isMultiple(of: 2) ? !closes : closes
            effects.drive(0, contact.drive(isClosed: state), at: time.advanced(by: .nanoseconds(after)))
        }
    }
}

/// The levels of a pin with a contact, by the settings `active` and `resistor`.
struct Contact {
    private let closed: PinDrive
    private let open: PinDrive

    init(_ wiring: PartWiring) {
        closed = wiring.text("active") == "high" ? .high : .low
        open = wiring.text("resistor") != "external" ? .floating : closed == .high ? .low : .high
    }

    func drive(isClosed: Bool) -> PinDrive { isClosed ? closed : open }

    /// The level without a supply: only ground is left.
    func unpowered(isClosed: Bool) -> PinDrive { isClosed && closed == .low ? .low : .floating }
}
