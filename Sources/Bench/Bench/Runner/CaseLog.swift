import BLECentral
import BLEPackets
import BenchModel
import ByteCodec
import MonotonicTime

/// What has happened since a case began, for expectations to be matched against: each event satisfies at most one.
///
/// Values sent by the server are taken strictly in order, per link and characteristic: the next one must be the
/// expected one. Console lines are a stream to search: lines before the expected one are passed over for good.
struct CaseLog {
    /// What was logged.
    enum Event {
        case value(client: Int, attribute: AttributeID, isIndication: Bool, bytes: [UInt8])
        case console(String)
        case disconnected(client: Int, reason: UInt8)
        case servo(ServoPosition)
        case powerCut
    }

    /// What an expectation looks for, with its values computed.
    enum Matcher {
        case value(client: Int, attribute: AttributeID, isIndication: Bool, bytes: [UInt8]?)
        case line(String)
        case regex(Regex<AnyRegexOutput>)
        case disconnect(client: Int, reason: UInt8?)
        case servo(ServoPattern)
        case powerCut
        case nothing(Set<EventKind>)
    }

    enum Outcome {
        /// What was looked for is there.
        case matched
        /// What is there rules it out; says what came, and when.
        case mismatch(String, MonotonicInstant)
        /// The link that it would come over is gone.
        case linkLost(reason: UInt8)
    }

    struct Entry {
        let event: Event
        let time: MonotonicInstant
        var isConsumed = false
    }

    /// Of more events than this the older half is dropped: a board that floods its console must not exhaust memory.
    private static let capacity = 8192

    private(set) var entries: [Entry] = []
    /// The first entry whose console line no expectation has passed.
    private var consoleCursor = 0
    /// The first entry whose movement of a servo no expectation has passed.
    var servoCursor = 0
    /// The first entry the current search has not looked at.
    private var searchCursor = 0

    /// The first entry that came after the current search began.
    private(set) var searchStart = 0

    /// The first entry that came after `before` was done: what must not happen counts from there.
    private var stepsStart = 0

    /// Forgets everything.
    mutating func clear() {
        entries.removeAll(keepingCapacity: true)
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

    mutating func append(_ event: Event, at time: MonotonicInstant) {
        if entries.count == Self.capacity {
            let half = Self.capacity / 2
            entries.removeFirst(half)
            consoleCursor = max(0, consoleCursor - half)
            servoCursor = max(0, servoCursor - half)
            searchStart = max(0, searchStart - half)
            searchCursor = max(0, searchCursor - half)
            stepsStart = max(0, stepsStart - half)
        }
        entries.append(Entry(event: event, time: time))
    }

    /// Begins a search: what a former one looked at and did not want is looked at again.
    mutating func beginSearch() {
        searchCursor = 0
        searchStart = entries.count
    }

    /// Looks for what `matcher` describes, from where this search has come to, and consumes it; `nil` when it may
    /// still come.
    mutating func outcome(of matcher: Matcher) -> Outcome? {
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

    private mutating func outcome(of matcher: Matcher, at index: Int) -> Outcome? {
        let time = entries[index].time
        switch (matcher, entries[index].event) {
        case (.value(let client, let attribute, let isIndication, let expected), let event):
            return value(client, attribute, isIndication, expected, event, time)
        case (.line(let text), .console(let line)) where index >= consoleCursor && line == text:
            consoleCursor = index + 1
            return .matched
        case (.regex(let regex), .console(let line)) where index >= consoleCursor && line.contains(regex):
            consoleCursor = index + 1
            return .matched
        case (.disconnect(let client, let expected), .disconnected(let other, let reason)) where client == other:
            return expected ?? reason == reason ? .matched : .mismatch(Self.reason(reason), time)
        case (.nothing(let kinds), let event) where index >= stepsStart:
            // A servo has many positions on its way: only what comes from now on moves it.
            let isUnpassed = index >= (event.isServo ? searchStart : consoleCursor)
            return anything(of: kinds, event, isUnpassed).map { .mismatch($0, time) }
        case (.powerCut, .powerCut): return .matched
        case (.line, _), (.regex, _), (.disconnect, _), (.nothing, _), (.servo, _), (.powerCut, _): return nil
        }
    }

    private func value(
        _ client: Int, _ attribute: AttributeID, _ isIndication: Bool, _ expected: [UInt8]?, _ event: Event,
        _ time: MonotonicInstant
    ) -> Outcome? {
        switch event {
        case .value(client, attribute, isIndication, let bytes):
            guard let expected, bytes != expected else { return .matched }
            return .mismatch(Self.text(bytes), time)
        case .disconnected(client, let reason): return .linkLost(reason: reason)
        case .value, .console, .disconnected, .servo, .powerCut: return nil
        }
    }

    private func anything(of kinds: Set<EventKind>, _ event: Event, _ isUnpassed: Bool) -> String? {
        switch event {
        case .value(_, _, true, let bytes) where kinds.contains(.indication):
            "an indication of \(Self.text(bytes))"
        case .value(_, _, false, let bytes) where kinds.contains(.notification):
            "a notification of \(Self.text(bytes))"
        case .console(let text) where isUnpassed && kinds.contains(.console): "the console line '\(text)'"
        case .disconnected(_, let reason) where kinds.contains(.disconnect): "a disconnect, \(Self.reason(reason))"
        case .servo(let position) where isUnpassed && kinds.contains(.servo): "the servo \(position)"
        case .value, .console, .disconnected, .servo, .powerCut: nil
        }
    }

    /// Forgets the end of a client's former link: it has a new one.
    mutating func dropDisconnects(of client: Int) {
        for index in entries.indices {
            if case .disconnected(client, _) = entries[index].event { entries[index].isConsumed = true }
        }
    }

    /// A reason to end a link as reports show it.
    private static func reason(_ reason: UInt8) -> String {
        HCIErrorCode(rawValue: reason).description
    }

    /// Bytes as reports show them.
    static func text(_ bytes: [UInt8]) -> String {
        let shown = Hexadecimal.string(bytes.prefix(maximumShownBytes), separator: " ")
        if bytes.isEmpty { return "no bytes" }
        return bytes.count > maximumShownBytes ? "\(shown) … (\(bytes.count) bytes)" : shown
    }

    private static let maximumShownBytes = 32
}
