import BenchModel
import Console
import MonotonicTime
import SourceText

/// The expected state of a board's pin, or of a part that is wired to it.
public enum StatePattern: Hashable, Sendable, CustomStringConvertible {
    /// The level of a pin that the firmware drives.
    case pin(Int, isHigh: Bool)
    /// The PWM signal of a pin: the share of a period in which it is high, in percent, and the frequency in hertz; `nil`:
    /// any.
    case pwm(Int, duty: ClosedRange<Double>?, frequency: ClosedRange<Double>?)
    /// A pin without a PWM signal.
    case noPWM(Int)
    /// A reading of a part, by the names of both: its text.
    case text(part: String, reading: String, String)
    /// A reading of a part that is a number.
    case number(part: String, reading: String, ClosedRange<Double>)
    /// A reading of a part that is a text, such as that of a display, with line feeds between its lines.
    case content(part: String, reading: String, ValueMatch)
    /// A reading of a part that is a picture: all its pixels, by their `digest`; `name`: the picture's for failures.
    case picture(part: String, reading: String, digest: UInt64, name: String)

    /// The text for failures.
    public var description: String {
        switch self {
        case .pin(let pin, let isHigh): "pin \(pin) \(isHigh ? "high" : "low")"
        case .pwm(let pin, let duty, let frequency):
            "a PWM signal on pin \(pin)"
                + [frequency.map { Self.text($0, "Hz") }, duty.map { Self.text($0, "%") }].compactMap(\.self)
                .map { " of " + $0 }.joined()
        case .noPWM(let pin): "no PWM signal on pin \(pin)"
        case .text(let part, let reading, let text): "\(part).\(reading) \(text)"
        case .number(let part, let reading, let range): "\(part).\(reading) \(Self.text(range, nil))"
        case .content(let part, let reading, let match): "\(part).\(reading) \(match.words)"
        case .picture(let part, let reading, _, let name): "\(part).\(reading) as in \(name)"
        }
    }

    private static func text(_ range: ClosedRange<Double>, _ unit: String?) -> String {
        let unit = unit.map { " \($0)" } ?? ""
        if range.lowerBound == range.upperBound { return "\(range.lowerBound.decimal)\(unit)" }
        return "\(range.lowerBound.decimal) to \(range.upperBound.decimal)\(unit)"
    }

    /// The ability that the bench needs to measure the state.
    var neededAbility: BenchAbility {
        switch self {
        case .pin: .outputPins
        case .pwm, .noPWM: .pwm
        case .text, .number, .content, .picture: .parts
        }
    }

    /// The thing that has the state.
    var subject: MeasuredSubject {
        switch self {
        case .pin(let pin, _): .pin(pin)
        case .pwm(let pin, _, _), .noPWM(let pin): .pwm(pin)
        case .text(let part, let reading, _), .number(let part, let reading, _), .content(let part, let reading, _),
            .picture(let part, let reading, _, _):
            .part(part, reading)
        }
    }

    /// True if a state is the expected one.
    func matches(_ state: MeasuredState, _ patterns: LinePatterns) -> Bool {
        switch (self, state) {
        case (.pin(_, let isHigh), .level(let level)): level == isHigh
        case (.pwm(_, let duty, let frequency), .pwm(let signal?)):
            duty?.contains(signal.dutyPercent) != false && frequency?.contains(signal.hertz) != false
        case (.noPWM, .pwm(nil)): true
        case (.text(_, _, let text), .reading(let reading)): reading.value == text
        case (.number(_, _, let range), .reading(let reading)): reading.number.map(range.contains) == true
        case (.content(_, _, let match), .reading(let reading)):
            match.answer(Array(reading.value.utf8), patterns) == .met
        case (.picture(_, _, let digest, _), .reading(let reading)): reading.digest == digest
        default: false
        }
    }
}

/// A thing with a state.
enum MeasuredSubject: Hashable {
    case pin(Int)
    case pwm(Int)
    case part(String, String)
}

/// A state.
enum MeasuredState: Hashable {
    /// The level of a pin; `nil`: the firmware does not drive it any more.
    case level(Bool?)
    /// The PWM signal of a pin.
    case pwm(PWMChanged.Signal?)
    /// A reading of a part.
    case reading(PartChanged)

    /// The state in the past tense, after "it".
    var text: String {
        switch self {
        case .level(let isHigh): isHigh.map { "became \($0 ? "high" : "low")" } ?? "was not driven any more"
        case .pwm(let signal): signal.map { "became \($0.text)" } ?? "had no signal any more"
        case .reading(let reading): "became \(reading.shownValue)"
        }
    }
}

/// The states of the boards' pins and parts since the last action on the bench: a blinking before it is not its effect.
/// They are searched like the console: skipped states cannot be expected later. The last state is an exception: it
/// satisfies expectations until it changes.
struct MeasuredStates {
    /// Maximum number of kept changes of one subject: a fast signal must not exhaust memory.
    private static let capacity = 65_536

    private struct Key: Hashable {
        var board: Int
        var subject: MeasuredSubject
    }

    private struct Change {
        var state: MeasuredState
        var time: MonotonicInstant
    }

    /// A class, since a signal changes often: a copy for each change would cost more than the change. The same holds for
    /// run-time checks of exclusivity; the compiler's static checks remain.
    private final class History {
        /// The changes that no expectation has matched or skipped.
        @exclusivity(unchecked) var changes: [Change]
        @exclusivity(unchecked) var last: Change
        /// True if there were more changes than are kept.
        var isCut = false

        init(_ first: Change) { (changes, last) = ([first], first) }

        func skip() {
            changes.removeAll(keepingCapacity: true)
            isCut = false
        }
    }

    private var histories: [Key: History] = [:]
    /// The history of the last change: that of a fast signal is found without the hash of its key.
    private var recent: (key: Key, history: History)?
    /// The compiled expressions.
    var patterns = LinePatterns()
    /// Why the last call for a pin had no effect.
    private var ignored: [Key: String] = [:]
    /// The pins that the firmware has driven or sent a signal to.
    private var used: Set<Key> = []
    /// The pins to which it has sent a signal.
    private var signalled: Set<Key> = []
    /// The pins with a PWM signal, also of a servo, at the last action or since.
    private var pulsed: Set<Key> = []
    /// The parts that it has addressed on a bus.
    private var addressed: Set<Key> = []

    /// How the firmware uses a part.
    enum PartUse: Hashable {
        /// It drives each of these pins.
        case pins(Set<Int>)
        /// It sends pulses to one of these pins.
        case signals(Set<Int>)
        /// It addresses the part on a bus.
        case bus
    }

    /// How parts are used, by board and name.
    private var uses: [Int: [String: PartUse]] = [:]

    /// Sets how the firmware uses the parts of a board.
    mutating func setParts(_ uses: [String: PartUse], of board: Int) { self.uses[board] = uses }

    /// Adds an event if it changes a state; returns whether it may.
    mutating func append(_ payload: any EventPayload, of board: Int, at time: MonotonicInstant) -> Bool {
        switch payload {
        case let pin as PinChanged:
            append(pin, of: board, at: time)
            return true
        case let pwm as PWMChanged:
            note(signalOn: pwm.pin, of: board)
            append(.pwm(pwm.signal), of: Key(board: board, subject: .pwm(pwm.pin)), at: time)
        case let part as PartChanged:
            append(.reading(part), of: Key(board: board, subject: .part(part.part, part.reading)), at: time)
        case let transfer as I2CTransferred:
            if let part = transfer.part { addressed.insert(Key(board: board, subject: .part(part, ""))) }
            return false
        case let boot as BootMessage where boot == .applicationStarted:
            // The new program has used nothing yet.
            forgetUse(of: board)
            return false
        case let call as PinCallIgnored:
            ignored[Key(board: board, subject: .pin(call.pin))] = call.reason
            return false
        default: return false
        }
        return true
    }

    /// Adds a level of a pin: the most frequent event of a board.
    mutating func append(_ pin: PinChanged, of board: Int, at time: MonotonicInstant) {
        let key = Key(board: board, subject: .pin(pin.pin))
        let isFirst = append(.level(pin.isDriven ? pin.isHigh : nil), of: key, at: time)
        if isFirst, pin.isDriven { used.insert(key) }
    }

    /// Adds a change; a state that equals the former one is none.
    ///
    /// - Returns: whether it is the first state, or the first after the pin was not driven.
    @discardableResult
    private mutating func append(_ state: MeasuredState, of key: Key, at time: MonotonicInstant) -> Bool {
        let change = Change(state: state, time: time)
        guard let history = recent?.key == key ? recent?.history : histories[key] else {
            histories[key] = History(change)
            // The state of a part with which it begins is not one that it became.
            if case .reading = state { histories[key]?.changes = [] }
            return true
        }
        if recent?.history !== history { recent = (key, history) }
        let former = history.last.state
        guard former != state else { return false }
        history.last = change
        if history.changes.count == Self.capacity {
            history.changes.removeFirst(Self.capacity / 2)
            history.isCut = true
        }
        history.changes.append(change)
        return former == .level(nil)
    }

    /// Searches the state, and skips the changes before it.
    mutating func outcome(of pattern: StatePattern, board: Int) -> EventLog.Outcome? {
        let key = Key(board: board, subject: pattern.subject)
        guard let history = histories[key], lackOfUse(of: pattern, board: board) == nil else { return nil }
        if let index = history.changes.firstIndex(where: { pattern.matches($0.state, patterns) }) {
            history.changes.removeFirst(index + 1)
            return .matched
        }
        return history.changes.isEmpty && pattern.matches(history.last.state, patterns) ? .matched : nil
    }

    /// The reason why the state of a part proves nothing: the firmware has not used it; `nil`: it has.
    private func lackOfUse(of pattern: StatePattern, board: Int) -> String? {
        guard case .part(let part, _) = pattern.subject, let use = uses[board]?[part] else { return nil }
        func isIn(_ set: Set<Key>) -> (Int) -> Bool { { set.contains(Key(board: board, subject: .pin($0))) } }
        switch use {
        case .bus:
            let isAddressed = addressed.contains(Key(board: board, subject: .part(part, "")))
            return isAddressed ? nil : "the sketch has not addressed it on its bus"
        case .pins(let pins) where !pins.allSatisfy(isIn(used)):
            return "the sketch has not driven \(Self.list(pins.filter { !isIn(used)($0) }))"
        case .signals(let pins) where !pins.contains(where: isIn(signalled)):
            return "the sketch has sent it no pulses: \(Self.list(pins))"
        case .pins, .signals: return nil
        }
    }

    private static func list(_ pins: Set<Int>) -> String {
        pins.sorted().map { "pin \($0)" }.joined(separator: ", ")
    }

    /// Notes that the firmware sends a signal to a pin.
    mutating func note(signalOn pin: Int, of board: Int) {
        used.insert(Key(board: board, subject: .pin(pin)))
        signalled.insert(Key(board: board, subject: .pin(pin)))
        pulsed.insert(Key(board: board, subject: .pin(pin)))
    }

    /// Forgets which pins and parts the firmware has used: it restarts.
    mutating func forgetUse(of board: Int) {
        used = used.filter { $0.board != board }
        signalled = signalled.filter { $0.board != board }
        addressed = addressed.filter { $0.board != board }
    }

    /// Skips the changes so far of the thing that a pattern is about; it keeps its state.
    mutating func skipChanges(of pattern: StatePattern, board: Int) {
        histories[Key(board: board, subject: pattern.subject)]?.skip()
    }

    /// The reason why there are no pulses of a pin.
    struct NoPulses: Error {
        var text: String
    }

    /// The pulses of a pin among its changes, which are then skipped.
    mutating func takePulses(of pin: Int, isHigh: Bool, board: Int) -> Result<MeasuredPulses, NoPulses> {
        if pulsed.contains(Key(board: board, subject: .pin(pin))) {
            return .failure(
                NoPulses(text: "it has or had a PWM signal, which 'expect: {pwm: \(pin), …}' or 'servo' is for"))
        }
        guard used.contains(Key(board: board, subject: .pin(pin))),
            let history = histories[Key(board: board, subject: .pin(pin))]
        else {
            let pattern = StatePattern.pin(pin, isHigh: isHigh)
            return .failure(NoPulses(text: instead(of: pattern, board: board, since: .zero)))
        }
        var pulses = MeasuredPulses(isCut: history.isCut)
        var start: MonotonicInstant?
        for change in history.changes {
            if change.state == .level(nil) { return .failure(NoPulses(text: "the sketch drives it no longer")) }
            if let start { pulses.widths.append(start.duration(to: change.time)) }
            start = change.state == .level(isHigh) ? change.time : nil
        }
        // Also one that began before.
        pulses.isOpen = history.last.state == .level(isHigh)
        history.skip()
        return .success(pulses)
    }

    /// The first change from a state that an expectation has just found.
    func change(from pattern: StatePattern, board: Int) -> EventLog.Outcome? {
        let changes = histories[Key(board: board, subject: pattern.subject)]?.changes
        guard let change = changes?.first(where: { !pattern.matches($0.state, patterns) }) else { return nil }
        return .mismatch("it \(change.state.text)", change.time)
    }

    /// The remark on a state that is not the expected one.
    func instead(of pattern: StatePattern, board: Int, since started: MonotonicInstant) -> String {
        let key = Key(board: board, subject: pattern.subject)
        if let reason = lackOfUse(of: pattern, board: board) { return reason }
        if let last = histories[key]?.last {
            return "it \(last.state.text) \(EventLog.moment(last.time, since: started))"
        }
        switch pattern {
        case .pin(let pin, _):
            if let reason = ignored[key] { return "it is not an output: \(reason)" }
            return "the sketch has not made it an output, as with pinMode(\(pin), OUTPUT)"
        case .pwm(let pin, _, _), .noPWM(let pin):
            let ignored = ignored[Key(board: board, subject: .pin(pin))].map { ": \($0)" } ?? ""
            return "the sketch has not begun one, as with ledcAttach(\(pin), 5000, 8)\(ignored)"
        case .text, .number, .content, .picture: return "it has not changed"
        }
    }

    /// Forgets the states of a board; the next change of each is reported by its firmware.
    mutating func clear(board: Int) {
        histories = histories.filter { $0.key.board != board }
        recent = nil
        ignored = ignored.filter { $0.key.board != board }
        pulsed = pulsed.filter { $0.board != board }
        forgetUse(of: board)
    }

    /// An action on the bench begins, whose effects will be expected: skips the changes so far. The states stay.
    mutating func beginAction() {
        guard !histories.isEmpty else { return }
        // A servo's signal ends without an event of PWM.
        pulsed = pulsed.filter { key in
            guard case .pin(let pin) = key.subject else { return false }
            return histories[Key(board: key.board, subject: .pwm(pin))].map { $0.last.state != .pwm(nil) } ?? true
        }
        for history in histories.values { history.skip() }
    }
}
