import BLEPackets
import BenchModel
import Console
import MonotonicTime

/// The events since a case began that expectations are matched against: each satisfies at most one.
///
/// Values sent by the server are taken strictly in order, per link and characteristic: the next one must be the
/// expected one. Console lines are a stream to search: lines before the expected one are skipped permanently.
struct EventLog {
    enum Outcome {
        /// The expected event was found.
        case matched
        /// An event makes a match impossible; with its text and time.
        case mismatch(String, MonotonicInstant)
        /// Neither a match nor a mismatch can be determined, for this reason.
        case undecided(String)
        /// The link that would carry the expected event is gone.
        case linkLost(reason: UInt8?)
    }

    struct Entry {
        let event: BenchEvent
        /// The board whose console, servo or power the event is about; `nil`: none.
        let board: Int?
        var isConsumed = false
        /// The number of the value's bytes that an expected stream has consumed.
        var takenCount = 0
    }

    /// Maximum number of kept events; beyond it the older half is dropped, so that a flooded console cannot exhaust
    /// memory.
    private static let capacity = 8192

    private(set) var entries: [Entry] = []
    /// The first entry, by board, whose console line no expectation has skipped.
    private(set) var consoleCursors: [Int]
    /// The first entry, by board, whose servo movement no expectation has skipped.
    var servoCursors: [Int]
    /// The first entry that the current search has not examined.
    private var searchCursor = 0

    /// The first entry that was added after the current search began.
    private(set) var searchStart = 0

    /// The number of values that the boards' hosts could not send, by handle. Their events are not kept: a full queue
    /// refuses many values.
    private(set) var refusals: [UInt16: Int] = [:]

    /// Bytes received from the boards' UARTs.
    private(set) var uarts = ByteStreams()

    /// The states of the boards' pins and parts.
    var states = MeasuredStates()

    /// The last write with a response on each link: the entries after its beginning, and after its response.
    private var writes: [String: (start: Int, end: Int)] = [:]

    /// The first entry after `before`: the expectation that an event does not occur checks entries from here on.
    private var stepsStart = 0

    /// A log of a bench with this number of boards.
    init(boards: Int = 1) {
        consoleCursors = Array(repeating: 0, count: boards)
        servoCursors = consoleCursors
    }

    /// Removes all entries except those for which `isKept` is true.
    mutating func clear(except isKept: ((any EventPayload) -> Bool)? = nil) {
        if let isKept {
            entries.removeAll { !isKept($0.event.payload) }
        } else {
            entries.removeAll(keepingCapacity: true)
        }
        refusals.removeAll()
        uarts.clear()
        states.beginAction()
        moveCursors { _ in 0 }
    }

    /// Removes the entries of one of several boards.
    mutating func clear(board: Int) {
        uarts.clear(board: board)
        states.clear(board: board)
        // The number of remaining entries before each index.
        var left = [0]
        for entry in entries { left.append((left.last ?? 0) + (entry.board == board ? 0 : 1)) }
        entries.removeAll { $0.board == board }
        moveCursors { left[min($0, left.count - 1)] }
    }

    private mutating func moveCursors(_ move: (Int) -> Int) {
        stepsStart = move(stepsStart)
        searchCursor = move(searchCursor)
        searchStart = move(searchStart)
        writes = writes.mapValues { (move($0.start), move($0.end)) }
        for board in consoleCursors.indices {
            consoleCursors[board] = move(consoleCursors[board])
            servoCursors[board] = move(servoCursors[board])
        }
    }

    /// An action on the bench begins, whose effects will be expected.
    mutating func beginAction() { states.beginAction() }

    /// A write with a response begins on a link.
    mutating func beginWrite(_ source: String) { writes[source] = (entries.count, .max) }

    /// A write without a response, or any PDU, was sent: its order cannot be known.
    mutating func forgetWrite(_ source: String) { writes[source] = nil }

    /// Its response has come.
    mutating func endWrite(_ source: String) { writes[source]?.end = entries.count }

    /// Marks the end of `before`.
    mutating func beginSteps() {
        stepsStart = entries.count
    }

    /// Counts a value that was not sent.
    mutating func count(_ refusal: NotificationRefused) {
        if let handle = refusal.attribute.handle { refusals[handle, default: 0] += 1 }
    }

    /// Adds bytes received from a UART.
    mutating func append(_ bytes: UARTBytesReceived, of board: Int, at time: MonotonicInstant) {
        uarts.append(bytes, of: board, at: time)
    }

    /// Adds an event; `board`: whose console, servo or power it is about.
    mutating func append(_ event: BenchEvent, of board: Int? = nil) {
        if event.payload is Disconnected || event.payload is Connected { forgetWrite(event.source) }
        if entries.count == Self.capacity {
            let half = Self.capacity / 2
            entries.removeFirst(half)
            moveCursors { max(0, $0 - half) }
        }
        entries.append(Entry(event: event, board: board))
    }

    /// Begins a search; it includes entries that an earlier search examined and did not match.
    mutating func beginSearch() {
        searchCursor = 0
        searchStart = entries.count
    }

    /// Resumes a search that began when the log had `start` entries, from the first entry: another search ran in
    /// between.
    mutating func resumeSearch(startedAt start: Int) {
        searchCursor = 0
        searchStart = min(start, entries.count)
    }

    /// Continues the search for a match of `matcher` and consumes the match; `nil` while a match is still possible.
    mutating func outcome(of matcher: EventMatcher) -> Outcome? {
        switch matcher {
        case .servo(let pattern, let board): return outcome(of: pattern, board: board)
        case .uart(let pattern, let port, let board): return uarts.outcome(of: pattern, port: port, board: board)
        case .state(let pattern, let board): return states.outcome(of: pattern, board: board)
        case .stateStays(let pattern, let board): return states.change(from: pattern, board: board)
        default: break
        }
        while searchCursor < entries.count {
            let index = searchCursor
            searchCursor += 1
            guard !entries[index].isConsumed, let outcome = outcome(of: matcher, at: index) else { continue }
            if case .stream = matcher { return outcome }
            entries[index].isConsumed = true
            return outcome
        }
        return nil
    }

    private mutating func outcome(of matcher: EventMatcher, at index: Int) -> Outcome? {
        let event = entries[index].event
        switch matcher {
        case .value(let source, let attribute, let isIndication, let match, let order):
            guard event.source == source else { return nil }
            let outcome = value(attribute, isIndication, match, event)
            guard case .matched? = outcome, let order, let fault = fault(of: order, source, at: index) else {
                return outcome
            }
            return .mismatch(fault, event.time)
        case .stream(let pattern, let source, let attribute):
            return event.source == source ? stream(pattern, attribute, at: index) : nil
        case .line(let text, let board):
            guard index >= consoleCursors[board], entries[index].board == board,
                (event.payload as? ConsoleLineReceived)?.text == text
            else { return nil }
            consoleCursors[board] = index + 1
            return .matched
        case .regex(let pattern, let board):
            guard index >= consoleCursors[board], entries[index].board == board,
                let line = event.payload as? ConsoleLineReceived
            else { return nil }
            switch pattern.search(line.text) {
            case .missing: return nil
            case .found: break
            case .abandoned, .off: return .undecided(Self.tooSlow(line.text))
            }
            consoleCursors[board] = index + 1
            return .matched
        case .lineValue(let match, let board):
            guard index >= consoleCursors[board], entries[index].board == board,
                let line = event.payload as? ConsoleLineReceived
            else { return nil }
            switch match.answer(Array(line.text.utf8)) {
            case .differs: return nil
            case .undecided(let reason): return .undecided(reason)
            case .met: break
            }
            consoleCursors[board] = index + 1
            return .matched
        case .disconnect(let source, let expected):
            guard event.source == source, let end = event.payload as? Disconnected else { return nil }
            guard let expected, let reason = end.reason, reason != expected else { return .matched }
            return .mismatch(Self.text(reason: reason), event.time)
        case .nothing(let classes, let wanted):
            let board = entries[index].board
            guard index >= stepsStart, board == nil || wanted == nil || board == wanted else { return nil }
            // A servo passes many positions on its way: only positions after the start of the search count as movement.
            let isUnpassed = index >= (event.payload is ServoMoved ? searchStart : consoleCursors[board ?? 0])
            return unwanted(classes, event.payload, isUnpassed).map { .mismatch($0, event.time) }
        case .powerCut(let board):
            return event.payload is PowerSwitched && entries[index].board == board ? .matched : nil
        case .servo, .uart, .prompt, .state, .stateStays: return nil
        }
    }

    /// The fault of a value's place before or after the response of the last write; `nil`: none.
    private func fault(of order: ResponseOrder, _ source: String, at index: Int) -> String? {
        guard let write = writes[source] else { return "no write with a response came before this step" }
        guard index >= write.start else { return "the value came before the write" }
        let isBefore = index < write.end
        return isBefore == (order == .before) ? nil : "the value came \(isBefore ? "before" : "after") the response"
    }

    private func value(
        _ attribute: EventAttribute, _ isIndication: Bool, _ match: PreparedMatch?, _ event: BenchEvent
    ) -> Outcome? {
        let value: [UInt8]
        if !isIndication, let received = event.payload as? NotificationReceived, received.attribute == attribute {
            value = received.value
        } else if isIndication, let received = event.payload as? IndicationReceived, received.attribute == attribute {
            value = received.value
        } else {
            return (event.payload as? Disconnected).map { .linkLost(reason: $0.reason) }
        }
        switch match?.answer(value) {
        case .met?, nil: return .matched
        case .differs(let text)?: return .mismatch(text, event.time)
        case .undecided(let reason)?: return .undecided(reason)
        }
    }

    private mutating func stream(_ pattern: StreamPattern, _ attribute: EventAttribute, at index: Int) -> Outcome? {
        let event = entries[index].event
        if let end = event.payload as? Disconnected { return .linkLost(reason: end.reason) }
        guard let (found, value) = Self.value(sentBy: event), found == attribute else { return nil }
        let taken = pattern.take(value[entries[index].takenCount...])
        entries[index].takenCount += taken.used
        if entries[index].takenCount == value.count {
            entries[index].isConsumed = true
        } else {
            // The rest of this value belongs to the next expectation.
            searchCursor = index
        }
        if let difference = taken.difference { return .mismatch(difference, event.time) }
        return pattern.isComplete ? .matched : nil
    }

    /// A value that the server has sent.
    static func value(sentBy event: BenchEvent) -> (attribute: EventAttribute, value: [UInt8])? {
        switch event.payload {
        case let value as NotificationReceived: (value.attribute, value.value)
        case let value as IndicationReceived: (value.attribute, value.value)
        default: nil
        }
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

    /// Removes the disconnection of a central's former link: the central has a new link.
    mutating func dropDisconnects(of source: String) {
        for index in entries.indices where entries[index].event.source == source {
            if entries[index].event.payload is Disconnected { entries[index].isConsumed = true }
        }
    }

    /// A disconnect reason as reports show it.
    static func text(reason: UInt8) -> String {
        HCIErrorCode(rawValue: reason).description
    }
}
