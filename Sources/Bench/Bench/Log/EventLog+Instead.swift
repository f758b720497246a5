import BenchModel
import Console
import MonotonicTime

/// The events reported in a failure in place of an expected event that did not occur.
extension EventLog {
    /// Lines further back are not compared.
    private static let maximumLines = 200
    private static let maximumLength = 120

    /// An instant as failures show it: relative to the beginning of the step.
    static func moment(_ time: MonotonicInstant, since started: MonotonicInstant) -> String {
        let since = started.duration(to: time)
        return since < .zero ? "\((.zero - since).brief) before the step" : "after \(since.brief)"
    }

    /// The console lines that a failure shows instead of `wanted`, the expected line of a board; `nil`: a match of a
    /// regular expression was expected.
    func lines(of board: Int, inPlaceOf wanted: String?, since started: MonotonicInstant) -> String {
        let lines: [(index: Int, text: String, time: MonotonicInstant)] = entries.enumerated().compactMap {
            guard $1.board == board, let line = $1.event.payload as? ConsoleLineReceived else { return nil }
            return ($0, line.text, $1.event.time)
        }
        if let former = lines.last(where: { $0.text == wanted }) {
            return "that line came \(Self.moment(former.time, since: started)), and an earlier 'expect' has skipped it"
        }
        let open = lines.filter { $0.index >= consoleCursors[board] && !$0.text.isEmpty }
        guard let last = open.last else {
            return lines.isEmpty ? "the console printed nothing" : "no line came after those that were expected before"
        }
        let count = "no such line among \(open.count)"
        if let wanted, let nearest = Self.nearest(to: wanted, in: open.suffix(Self.maximumLines).map(\.text)),
            let line = open.last(where: { $0.text == nearest })
        {
            return "\(count); the nearest is \(Self.quoted(line.text)), \(Self.moment(line.time, since: started))"
        }
        return "\(count); the last is \(Self.quoted(last.text)), \(Self.moment(last.time, since: started))"
    }

    /// The console lines that a failure shows instead of a line that meets conditions: the last one with JSON in it
    /// differs least.
    func lines(of board: Int, inPlaceOf match: PreparedMatch, since started: MonotonicInstant) -> String {
        let others = lines(of: board, inPlaceOf: nil, since: started)
        guard match.match.json != nil else { return others }
        let open = entries.dropFirst(consoleCursors[board]).reversed().lazy.compactMap { entry in
            entry.board == board ? (entry.event.payload as? ConsoleLineReceived)?.text : nil
        }
        guard let line = open.first(where: { $0.first == "{" || $0.first == "[" }),
            case .differs(let text) = match.answer(Array(line.utf8))
        else { return others }
        return "no such line; the last with JSON is \(text)"
    }

    private static func nearest(to wanted: String, in lines: [String]) -> String? {
        let scalars = Array(wanted.unicodeScalars.prefix(maximumLength))
        var best: (line: String, distance: Int)?
        for line in lines.reversed() {
            let other = Array(line.unicodeScalars.prefix(maximumLength))
            let limit = best.map { $0.distance - 1 } ?? max(scalars.count, other.count) / 2
            if limit >= 0, let distance = Suggestion.distance(scalars, other, atMost: limit) { best = (line, distance) }
        }
        return best?.line
    }

    /// The remark that the search for an expression took too long in `line`.
    static func tooSlow(_ line: String) -> String {
        "a search without end in the line \(quoted(line)): it took too long and was given up; repetitions within "
            + "repetitions, such as (a+)+, can take for ever"
    }

    private static func quoted(_ line: String) -> String {
        line.count > maximumLength ? "'\(line.prefix(maximumLength))…'" : "'\(line)'"
    }

    /// The starts of a board, or of all (`nil`), as its ROM prints them on the console.
    private func starts(
        of board: Int?
    ) -> [(reset: (reason: String, isOnPurpose: Bool), time: MonotonicInstant)] {
        entries.compactMap { entry in
            guard board == nil || entry.board == board, let line = entry.event.payload as? ConsoleLineReceived else {
                return nil
            }
            return BootLog.reset(in: line.text).map { ($0, entry.event.time) }
        }
    }

    /// The remark that a board has restarted unexpectedly; `words` describe the board. `nil`: no such restart.
    func restarts(of board: Int, _ words: String) -> String? {
        let restarts = starts(of: board).filter { !$0.reset.isOnPurpose }
        guard let last = restarts.last else { return nil }
        let count = restarts.count > 1 ? " \(restarts.count) times" : ""
        return "\(words) restarted\(count), reset reason \(last.reset.reason)"
    }

    /// True if the last start of a board was into the ROM's loader.
    func isInDownloadMode(_ board: Int) -> Bool {
        let lines = entries.reversed().lazy.compactMap { entry in
            entry.board == board ? (entry.event.payload as? ConsoleLineReceived)?.text : nil
        }
        return lines.first { BootLog.reset(in: $0) != nil }.map(BootLog.isDownload) ?? false
    }

    /// When a board last started.
    var lastStart: MonotonicInstant? { starts(of: nil).last?.time }

    /// The last console line of a board, and how many there are.
    func lastLine(of board: Int) -> (text: String, count: Int)? {
        let lines = entries.compactMap { entry in
            entry.board == board ? (entry.event.payload as? ConsoleLineReceived)?.text : nil
        }.filter { !$0.isEmpty }
        return lines.last.map { (Self.quoted($0), lines.count) }
    }

    /// The last value of `attribute` that the server has sent over a central's link: preferably one that no expectation
    /// has consumed.
    func values(over source: String, of attribute: EventAttribute, since started: MonotonicInstant) -> String? {
        let sent = entries.filter { $0.event.source == source && Self.value($0.event)?.attribute == attribute }
        if let open = sent.last(where: { !$0.isConsumed && $0.event.time >= started }),
            let value = Self.value(open.event)
        {
            return "\(value.text), \(Self.moment(open.event.time, since: started))"
        }
        guard let former = sent.last(where: \.isConsumed), let value = Self.value(former.event) else { return nil }
        let moment = Self.moment(former.event.time, since: started)
        return "none after \(value.text), \(moment), which an earlier step has taken"
    }

    /// The last value of any other attribute that the server has sent since `started`.
    func otherValue(over source: String, than attribute: EventAttribute, since started: MonotonicInstant) -> String? {
        let other = entries.last {
            guard $0.event.source == source, $0.event.time >= started else { return false }
            return Self.value($0.event).map { $0.attribute != attribute } ?? false
        }
        return other.flatMap { Self.value($0.event)?.text }
    }

    /// The remark that the firmware failed to send values of the characteristic at `handle`; `nil`: no send failed.
    func refusals(of handle: UInt16?) -> String? {
        let count = handle.flatMap { refusals[$0] } ?? 0
        guard count > 0 else { return nil }
        return "the board's Bluetooth host did not send \(count): its queue was full, or the link gone"
    }

    private static func value(_ event: BenchEvent) -> (attribute: EventAttribute, text: String)? {
        switch event.payload {
        case let value as NotificationReceived:
            (value.attribute, "a notification of \(value.attribute.text) with \(ValueText.text(value.value))")
        case let value as IndicationReceived:
            (value.attribute, "an indication of \(value.attribute.text) with \(ValueText.text(value.value))")
        default: nil
        }
    }

    /// The positions of a board's servos, newest last.
    func servoPositions(of board: Int) -> String {
        let moves = entries.compactMap { $0.board == board ? $0.event.payload as? ServoMoved : nil }.suffix(4).map(
            \.position)
        return moves.isEmpty ? "no servo moved" : "the servo " + moves.joined(separator: ", ")
    }
}
