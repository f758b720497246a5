import BoardParts
import MonotonicTime
import Testing

/// A part of the catalogue on a board of its own: keeps its drives, and runs its deadlines.
struct PartTrial {
    let kind: PartKind
    let part: any Part
    /// The drives of each terminal, in order.
    private(set) var drives: [Int: [TimedDrive]] = [:]
    /// The indices of the readings that changed since they were taken last.
    private(set) var changed: Set<Int> = []
    private(set) var faults: [String] = []
    private(set) var now = MonotonicInstant.zero

    /// Makes a part with the defaults of its settings.
    init(
        _ name: String, pins: [String: [Int]] = ["pin": [4]], settings: [String: PartWiring.Value] = [:],
        seed: UInt64 = 1
    ) throws {
        kind = try #require(PartCatalogue.kind(named: name))
        var all = settings
        for setting in kind.settings where all[setting.name] == nil {
            switch setting.form {
            case .number(_, let initial?): all[setting.name] = .number(initial)
            case .word(let words): all[setting.name] = .text(words[0])
            case .text(let text?): all[setting.name] = .text(text)
            default: break
            }
        }
        part = try kind.make(PartWiring(pins: pins, settings: all, seed: seed))
        #expect(part.quantities == kind.quantities.map { .constant($0.initial) })
    }

    /// Lets the part's deadlines up to a time in microseconds pass.
    mutating func run(to microseconds: Double) { run(to: .at(microseconds)) }

    mutating func run(to time: MonotonicInstant) {
        var steps = 0
        while let deadline = part.nextDeadline, deadline <= time, steps < 100_000 {
            now = max(now, deadline)
            perform { $0.advance(to: $1, &$2) }
            steps += 1
        }
        #expect(steps < 100_000, "a deadline that does not pass")
        now = max(now, time)
    }

    /// Sets a quantity.
    mutating func set(_ name: String, _ value: Double, at microseconds: Double) {
        set(name, .constant(value), at: microseconds)
    }

    mutating func set(_ name: String, _ course: QuantityCourse, at microseconds: Double) {
        run(to: microseconds)
        guard let index = kind.quantities.firstIndex(where: { $0.name == name }) else {
            Issue.record("no quantity \(name)")
            return
        }
        part.quantities[index] = course
        perform { $0.quantityChanged(index, at: $1, &$2) }
    }

    /// The chip drives a terminal.
    mutating func drive(_ drive: PinDrive, terminal: Int = 0, at microseconds: Double) {
        run(to: microseconds)
        transmit([TimedDrive(now, drive)], terminal: terminal)
    }

    /// The chip drives a terminal with changes that are announced at once.
    mutating func transmit(_ changes: [TimedDrive], terminal: Int = 0) {
        perform { part, _, effects in (part as? any PinPart)?.chipDrives(terminal, changes, &effects) }
    }

    /// A PWM signal of the chip.
    mutating func pwm(_ signal: PWMSignal?, terminal: Int = 0, at microseconds: Double) {
        run(to: microseconds)
        perform { ($0 as? any PWMPart)?.pwm(terminal, signal, at: $1, &$2) }
    }

    mutating func power(_ isOn: Bool, at microseconds: Double) {
        run(to: microseconds)
        perform { $0.setPower(isOn, at: $1, &$2) }
    }

    /// A reading by its name.
    func reading(_ name: String) -> PartReading? {
        kind.readings.firstIndex { $0.name == name }.map { part.reading($0, at: now) }
    }

    /// A number among the readings.
    func number(_ name: String) -> Double? {
        if case .number(let number)? = reading(name) { number } else { nil }
    }

    /// The readings that changed since the last call.
    mutating func takeChanges() -> Set<Int> {
        defer { changed = [] }
        return changed
    }

    /// The part's drive of a terminal.
    func level(_ terminal: Int = 0, at microseconds: Double) -> PinDrive {
        drives[terminal]?.last { $0.time <= .at(microseconds) }?.drive ?? .floating
    }

    /// The voltage at the terminal.
    func voltage(at microseconds: Double = 0) -> Double? {
        (part as? any AnalogPart)?.voltage(0, at: .at(microseconds))
    }

    /// The drives of a terminal from a time on, as differences in microseconds and levels.
    func edges(_ terminal: Int = 0, from microseconds: Double = 0) -> [String] {
        (drives[terminal] ?? []).filter { $0.time >= .at(microseconds) }.map {
            let after = Double($0.time.nanoseconds) / 1000 - microseconds
            return "\(after == after.rounded() ? "\(Int(after))" : "\(after)") \($0.drive)"
        }
    }

    private mutating func perform(_ call: (any Part, MonotonicInstant, inout PartEffects) -> Void) {
        var effects = PartEffects()
        call(part, now, &effects)
        for terminal in effects.cancelled { drives[terminal]?.removeAll { $0.time > now } }
        for (terminal, drive) in effects.drives {
            if let last = drives[terminal]?.last { #expect(last.time <= drive.time) }
            drives[terminal, default: []].append(drive)
        }
        changed.formUnion(effects.changed)
        faults += effects.faults
    }
}

extension MonotonicInstant {
    /// A time in microseconds.
    static func at(_ microseconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((microseconds * 1000).rounded()))
    }
}
