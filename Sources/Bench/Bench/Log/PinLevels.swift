import BenchModel
import MonotonicTime

/// The expected level of a pin that the firmware drives.
public struct PinPattern: Hashable, Sendable, CustomStringConvertible {
    /// The GPIO number.
    public var pin: Int
    /// True for high.
    public var isHigh: Bool

    /// A pattern.
    public init(_ pin: Int, isHigh: Bool) {
        self.pin = pin
        self.isHigh = isHigh
    }

    /// The text for failures.
    public var description: String { "pin \(pin) \(isHigh ? "high" : "low")" }
}

/// The levels of the boards' output pins since the last action on the bench: a blinking before it is not its effect.
/// They are searched like the console: skipped levels cannot be expected later. The last level of a pin is an
/// exception: it satisfies expectations until it changes.
struct PinLevels {
    /// Maximum number of kept changes of a pin: a fast signal must not exhaust memory.
    private static let capacity = 65_536

    private struct Key: Hashable {
        var board: Int
        var pin: Int
    }

    private struct Change {
        /// `nil`: the firmware drives the pin no longer.
        var isHigh: Bool?
        var time: MonotonicInstant
    }

    private struct Pin {
        /// The changes that no expectation has matched or skipped.
        var changes: [Change] = []
        var last: Change
    }

    private var pins: [Key: Pin] = [:]
    /// Why the last call for a pin had no effect.
    private var ignored: [Key: String] = [:]

    /// Adds a change; a write of the level that the pin has is none.
    mutating func append(_ changed: PinChanged, of board: Int, at time: MonotonicInstant) {
        let key = Key(board: board, pin: changed.pin)
        let change = Change(isHigh: changed.isDriven ? changed.isHigh : nil, time: time)
        guard pins[key] == nil || pins[key]?.last.isHigh != change.isHigh else { return }
        var pin = pins.removeValue(forKey: key) ?? Pin(last: change)
        pin.last = change
        if pin.changes.count == Self.capacity { pin.changes.removeFirst(Self.capacity / 2) }
        pin.changes.append(change)
        pins[key] = pin
    }

    /// Keeps the reason why a call for a pin had no effect.
    mutating func append(_ call: PinCallIgnored, of board: Int) {
        ignored[Key(board: board, pin: call.pin)] = call.reason
    }

    /// Searches the level, and skips the changes before it.
    mutating func outcome(of pattern: PinPattern, board: Int) -> EventLog.Outcome? {
        guard var pin = pins[Key(board: board, pin: pattern.pin)] else { return nil }
        if let index = pin.changes.firstIndex(where: { $0.isHigh == pattern.isHigh }) {
            pin.changes.removeFirst(index + 1)
            pins[Key(board: board, pin: pattern.pin)] = pin
            return .matched
        }
        return pin.changes.isEmpty && pin.last.isHigh == pattern.isHigh ? .matched : nil
    }

    /// Skips the changes of a pin so far; it keeps its level.
    mutating func skipChanges(of pin: Int, board: Int) {
        pins[Key(board: board, pin: pin)]?.changes.removeAll(keepingCapacity: true)
    }

    /// The first change from a level that an expectation has just found.
    func change(from pattern: PinPattern, board: Int) -> EventLog.Outcome? {
        guard let change = pins[Key(board: board, pin: pattern.pin)]?.changes.first else { return nil }
        return .mismatch("it \(Self.text(change))", change.time)
    }

    /// The remark on a pin that does not have the expected level.
    func instead(of pattern: PinPattern, board: Int, since started: MonotonicInstant) -> String {
        let key = Key(board: board, pin: pattern.pin)
        guard let last = pins[key]?.last else {
            if let reason = ignored[key] { return "it is not an output: \(reason)" }
            return "the sketch has not made it an output, as with pinMode(\(pattern.pin), OUTPUT)"
        }
        return "it \(Self.text(last)) \(EventLog.moment(last.time, since: started))"
    }

    private static func text(_ change: Change) -> String {
        change.isHigh.map { "became \($0 ? "high" : "low")" } ?? "was not driven any more"
    }

    /// Forgets the pins of a board; the next change of each is reported by its firmware.
    mutating func clear(board: Int) {
        pins = pins.filter { $0.key.board != board }
        ignored = ignored.filter { $0.key.board != board }
    }

    /// An action on the bench begins, whose effects will be expected: skips the changes so far. The pins keep their
    /// levels.
    mutating func beginAction() {
        guard !pins.isEmpty else { return }
        for key in pins.keys { pins[key]?.changes.removeAll(keepingCapacity: true) }
    }
}
