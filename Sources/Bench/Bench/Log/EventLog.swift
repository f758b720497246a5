import BLEPackets
import BenchModel
import MonotonicTime

/// The events since a case began that expectations are matched against: each satisfies at most one.
///
/// Values sent by the server are taken strictly in order, per link and characteristic: the next one must be the
/// expected one. Console lines are a stream to search: lines before the expected one are passed over for good.
struct EventLog {
    enum Outcome {
        /// What was looked for is there.
        case matched
        /// What is there rules it out; says what came, and when.
        case mismatch(String, MonotonicInstant)
        /// The link that it would come over is gone.
        case linkLost(reason: UInt8?)
    }

    struct Entry {
        let event: BenchEvent
        var isConsumed = false
    }

    /// Of more events than this the older half is dropped: a board that floods its console must not exhaust memory.
    private static let capacity = 8192

    private(set) var entries: [Entry] = []
    /// The first entry whose console line no expectation has passed.
    private(set) var consoleCursor = 0
    /// The first entry whose movement of a servo no expectation has passed.
    var servoCursor = 0
    /// The first entry the current search has not looked at.
    private var searchCursor = 0

    /// The first entry that came after the current search began.
    private(set) var searchStart = 0

    /// The first entry that came after `before` was done: what must not happen counts from there.
    private var stepsStart = 0

    /// Forgets everything, but for what `isKept`.
    mutating func clear(except isKept: ((any EventPayload) -> Bool)? = nil) {
        if let isKept {
            entries.removeAll { !isKept($0.event.payload) }
        } else {
            entries.removeAll(keepingCapacity: true)
        }
        stepsStart = 0
        consoleCursor = 0
        servoCursor = 0
        searchCursor = 0
        searchStart = 0
    }

    /// Notes that `before` is done.
    mutating func beginSteps() {
        stepsStart = entries.count
    }

    mutating func append(_ event: BenchEvent) {
        if entries.count == Self.capacity {
            let half = Self.capacity / 2
            entries.removeFirst(half)
            consoleCursor = max(0, consoleCursor - half)
            servoCursor = max(0, servoCursor - half)
            searchStart = max(0, searchStart - half)
            searchCursor = max(0, searchCursor - half)
            stepsStart = max(0, stepsStart - half)
        }
        entries.append(Entry(event: event))
    }

    /// Begins a search: what a former one looked at and did not want is looked at again.
    mutating func beginSearch() {
        searchCursor = 0
        searchStart = entries.count
    }

    /// Goes on with a search that began when there were `start` entries, from the first entry: another search came
    /// between.
    mutating func resumeSearch(startedAt start: Int) {
        searchCursor = 0
        searchStart = min(start, entries.count)
    }

    /// Looks for what `matcher` describes, from where this search has come to, and consumes it; `nil` when it may
    /// still come.
    mutating func outcome(of matcher: EventMatcher) -> Outcome? {
        if case .servo(let pattern) = matcher { return outcome(of: pattern) }
        while searchCursor < entries.count {
            let index = searchCursor
            searchCursor += 1
            guard !entries[index].isConsumed, let outcome = outcome(of: matcher, at: index) else { continue }
            entries[index].isConsumed = true
            return outcome
        }
        return nil
    }

    private mutating func outcome(of matcher: EventMatcher, at index: Int) -> Outcome? {
        let event = entries[index].event
        switch matcher {
        case .value(let source, let attribute, let isIndication, let bytes, let isText):
            return event.source == source ? value(attribute, isIndication, bytes, isText, event) : nil
        case .line(let text):
            guard index >= consoleCursor, (event.payload as? ConsoleLineReceived)?.text == text else { return nil }
            consoleCursor = index + 1
            return .matched
        case .regex(let regex):
            guard index >= consoleCursor, let line = event.payload as? ConsoleLineReceived, line.text.contains(regex)
            else { return nil }
            consoleCursor = index + 1
            return .matched
        case .disconnect(let source, let expected):
            guard event.source == source, let end = event.payload as? Disconnected else { return nil }
            guard let expected, let reason = end.reason, reason != expected else { return .matched }
            return .mismatch(Self.text(reason: reason), event.time)
        case .nothing(let classes):
            guard index >= stepsStart else { return nil }
            // A servo has many positions on its way: only what comes from now on moves it.
            let isUnpassed = index >= (event.payload is ServoMoved ? searchStart : consoleCursor)
            return unwanted(classes, event.payload, isUnpassed).map { .mismatch($0, event.time) }
        case .powerCut: return event.payload is PowerSwitched ? .matched : nil
        case .servo, .prompt: return nil
        }
    }

    private func value(
        _ attribute: EventAttribute, _ isIndication: Bool, _ expected: [UInt8]?, _ isText: Bool, _ event: BenchEvent
    ) -> Outcome? {
        let value: [UInt8]
        if !isIndication, let received = event.payload as? NotificationReceived, received.attribute == attribute {
            value = received.value
        } else if isIndication, let received = event.payload as? IndicationReceived, received.attribute == attribute {
            value = received.value
        } else {
            return (event.payload as? Disconnected).map { .linkLost(reason: $0.reason) }
        }
        guard let expected, value != expected else { return .matched }
        let difference = ValueText.difference(value, from: expected).map { ": \($0)" } ?? ""
        return .mismatch(ValueText.text(value, isText: isText) + difference, event.time)
    }

    private func unwanted(_ classes: Set<EventClass>, _ payload: any EventPayload, _ isUnpassed: Bool) -> String? {
        switch payload {
        case let received as IndicationReceived where classes.contains(.indication):
            "an indication of \(received.attribute.text) with \(ValueText.text(received.value))"
        case let received as NotificationReceived where classes.contains(.notification):
            "a notification of \(received.attribute.text) with \(ValueText.text(received.value))"
        case let line as ConsoleLineReceived where isUnpassed && classes.contains(.console):
            "the console line '\(line.text)'"
        case let end as Disconnected where classes.contains(.disconnect):
            "a disconnect" + (end.reason.map { ", \(Self.text(reason: $0))" } ?? "")
        case let move as ServoMoved where isUnpassed && classes.contains(.servo): "the servo \(move.position)"
        default: nil
        }
    }

    /// Forgets the end of a central's former link: it has a new one.
    mutating func dropDisconnects(of source: String) {
        for index in entries.indices where entries[index].event.source == source {
            if entries[index].event.payload is Disconnected { entries[index].isConsumed = true }
        }
    }

    /// A reason to end a link as reports show it.
    static func text(reason: UInt8) -> String {
        HCIErrorCode(rawValue: reason).description
    }
}
