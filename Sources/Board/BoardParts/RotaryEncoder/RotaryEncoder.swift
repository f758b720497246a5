import MonotonicTime

/// An incremental encoder with two contacts to ground, and a push button. Its contacts close one after the other: in
/// clockwise direction A leads.
final class RotaryEncoder: PinPart {
    static let kind: PartKind = .init(
        name: "encoder",
        summary: "rotary encoder with push button",
        source: "data sheets of Alps EC11 and Bourns PEC11R (A leads B clockwise, contacts open at detents); KY-040",
        terminals: [
            .init("a", "Contact A (CLK)."),
            .init("b", "Contact B (DT)."),
            .init("button", isRequired: false, "The push button (SW)."),
        ],
        quantities: [
            .init(
                "position", "detents", -100_000...100_000, initial: 0,
                "The position, clockwise; a change is turned through edge by edge."),
            .init("contact", words: ["released", "pressed"], "The push button."),
        ],
        settings: [
            .init(
                "edges", .number(1...4, initial: 4), "Edges of both contacts together from detent to detent: 1, 2, 4."),
            .init("step", .number(0.05...1000, initial: 5), "The time from edge to edge in milliseconds."),
            .init(
                "resistor", .word(["none", "external"]),
                "With `external` pull-up resistors beside the contacts, as on the KY-040, keep open contacts high."),
        ],
        limits: [
            "The contacts do not bounce.",
            "External resistors drive the pins like outputs: a chip that drives them as well is a conflict.",
        ],
        make: { (wiring) throws(PartFault) in try RotaryEncoder(wiring) })

    var quantities = RotaryEncoder.kind.initialCourses
    private let contact: Contact
    private let edgesPerDetent: Double
    private let step: Duration
    private let hasButton: Bool
    /// The position in edges.
    private var edge = 0
    private var isPressed = false
    private var nextPress: MonotonicInstant?
    private var lastEdge: MonotonicInstant?
    private var nextEdge: MonotonicInstant?

    init(_ wiring: PartWiring) throws(PartFault) {
        let edges = wiring.number("edges")
        guard edges == 1 || edges == 2 || edges == 4 else { throw PartFault("edges: expected 1, 2 or 4") }
        edgesPerDetent = edges
        step = .nanoseconds(Int64(wiring.number("step").clamped(to: 0.001...1e6) * 1e6))
        contact = Contact(wiring)
        hasButton = wiring.pins["button"] != nil
    }

    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        schedule(at: time)
        advance(to: time, &effects)
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPressed = quantity(1, at: time) >= 0.5
        nextPress = quantities[1].nextCrossing(of: 0.5, after: time)
        let states = contactStates + (hasButton ? [isPressed] : [])
        for (terminal, isClosed) in states.enumerated() {
            effects.drive(
                terminal, isOn ? contact.drive(isClosed: isClosed) : contact.unpowered(isClosed: isClosed), at: time)
        }
        schedule(at: time)
    }

    var nextDeadline: MonotonicInstant? { .earliest(nextEdge, nextPress) }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        nextPress = quantities[1].nextCrossing(of: 0.5, after: time)
        let presses = quantity(1, at: time) >= 0.5
        if hasButton, presses != isPressed {
            isPressed = presses
            effects.drive(2, contact.drive(isClosed: presses), at: time)
        }
        while let due = nextEdge, due <= time {
            let target = target(at: due)
            if target != edge {
                let before = contactStates
                edge += target > edge ? 1 : -1
                for terminal in 0...1 where contactStates[terminal] != before[terminal] {
                    effects.drive(terminal, contact.drive(isClosed: contactStates[terminal]), at: due)
                }
                lastEdge = due
            }
            schedule(at: due)
        }
    }

    /// A and B at the edge: open, A closed, both, B closed.
    private var contactStates: [Bool] {
        let phase = edge & 3
        return [phase == 1 || phase == 2, phase == 2 || phase == 3]
    }

    private func target(at time: MonotonicInstant) -> Int {
        Int((quantity(0, at: time).clamped(to: -1e6...1e6) * edgesPerDetent + 0.5).rounded(.down))
    }

    /// Finds the time of the next edge: `step` after the last one, or when a ramp or a recording gets there.
    private func schedule(at time: MonotonicInstant) {
        if target(at: time) != edge {
            nextEdge = max(time, lastEdge.map { $0.advanced(by: step) } ?? time)
        } else {
            let (below, above) = (Double(edge) - 0.5, Double(edge) + 0.5)
            nextEdge = .earliest(
                quantities[0].nextCrossing(of: below / edgesPerDetent, after: time),
                quantities[0].nextCrossing(of: above / edgesPerDetent, after: time))
        }
    }
}
