import MonotonicTime

/// A strip of lights with controllers, on one pin: each takes the first 24 bits that reach it and passes the others on.
/// The length of a high level is its bit; a long low level ends the transmission and shows the colours.
final class WS2812: PinPart {
    static let kind: PartKind = .init(
        name: "ws2812",
        summary: "strip of RGB lights with controllers (WS2812, NeoPixel)",
        source: "data sheets of the Worldsemi WS2812 (0: 0.4 µs, 1: 0.8 µs, each ±150 ns; reset above 50 µs) and "
            + "WS2812B-V5 (0: 220 ns to 380 ns, 1: 580 ns to 1 µs; reset above 280 µs)",
        terminals: [.init("pin", "The data input of the first light (DIN).")],
        readings: [.init("colours", .colours, "The colours of all lights, from the first.")],
        settings: [
            .init("count", .number(1...4096, initial: 1), "The number of lights."),
            .init("order", .word(["GRB", "RGB"]), "The order of the colours in a transmission."),
            .init(
                "reset", .number(1...1000, initial: 50),
                "The low level in µs that ends a transmission: 50, or 280 for newer revisions."),
        ],
        limits: [
            "Lights with a fourth colour (RGBW) are not modelled.",
            "Any low level below the reset time separates two bits.",
        ],
        make: { wiring in WS2812(wiring) })

    /// The high levels in nanoseconds of the data sheets of both revisions, and the one that divides 0 from 1.
    private static let zero: ClosedRange<Int64> = 220...550
    private static let one: ClosedRange<Int64> = 580...1000
    private static let division: Int64 = 565

    var quantities: [QuantityCourse] = []
    private let order: [Int]
    private let reset: Duration
    private var isPowered = true
    private var shown: [UInt32]
    private var highSince: MonotonicInstant?
    private var lastFall: MonotonicInstant?
    /// The bits since the last reset.
    private var bits: [Bool] = []
    private var isFaulty = false
    /// Transmissions with the times at which they are shown.
    private var frames: [(time: MonotonicInstant, colours: [UInt32])] = []

    init(_ wiring: PartWiring) {
        order = wiring.text("order") == "RGB" ? [16, 8, 0] : [8, 16, 0]
        reset = .nanoseconds(Int64(wiring.number("reset").clamped(to: 1...1e6) * 1000))
        shown = Array(repeating: 0, count: Int(wiring.number("count").clamped(to: 1...4096)))
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        isPowered = isOn
        (highSince, lastFall, isFaulty) = (nil, nil, false)
        bits = []
        frames = []
        if shown.contains(where: { $0 != 0 }) { effects.change(0) }
        shown = Array(repeating: 0, count: shown.count)
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard isPowered else { return }
        for change in changes {
            if change.drive == .high {
                if let end = resetEnd, end <= change.time { endFrame(at: end, &effects) }
                highSince = highSince ?? change.time
            } else if let start = highSince {
                highSince = nil
                receive(start.duration(to: change.time).wholeNanoseconds, &effects)
                lastFall = change.time
            }
        }
    }

    /// The end of the low level that is a reset.
    private var resetEnd: MonotonicInstant? {
        guard highSince == nil, !bits.isEmpty else { return nil }
        return lastFall.map { $0.advanced(by: reset) }
    }

    var nextDeadline: MonotonicInstant? { frames.first?.time ?? resetEnd }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        if let end = resetEnd, end <= time { endFrame(at: end, &effects) }
        while let frame = frames.first, frame.time <= time {
            frames.removeFirst()
            let before = shown
            shown.replaceSubrange(..<frame.colours.count, with: frame.colours)
            if shown != before { effects.change(0) }
        }
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .colours(shown) }

    private func receive(_ nanoseconds: Int64, _ effects: inout PartEffects) {
        guard nanoseconds > 0 else { return }
        if !isFaulty, !Self.zero.contains(nanoseconds), !Self.one.contains(nanoseconds) {
            isFaulty = true
            effects.report(
                "a high level of \(nanoseconds) ns: expected 220 ns to 550 ns for a 0, 580 ns to 1 µs for a 1")
        }
        // The strip passes on what is for lights beyond its end.
        if bits.count < shown.count * 24 { bits.append(nanoseconds > Self.division) }
    }

    private func endFrame(at time: MonotonicInstant, _ effects: inout PartEffects) {
        let rest = bits.count % 24
        if rest != 0 { effects.report("a transmission ended after \(rest) of a light's 24 bits") }
        let colours = stride(from: 0, to: bits.count - rest, by: 24).map { start in
            order.enumerated().reduce(UInt32(0)) { colour, entry in
                let byte = bits[(start + entry.offset * 8)...].prefix(8).reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) }
                return colour | byte << UInt32(entry.element)
            }
        }
        frames.append((time, colours))
        bits = []
        isFaulty = false
    }
}
