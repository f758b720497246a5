public import BLECore
import BLEPackets
import BenchExecutor
import BenchModel
import MonotonicTime

/// An event that is expected on a bench.
public enum BenchExpectation: Hashable, Sendable {
    /// The next value that the server sends for a characteristic over the central's link, with conditions on it
    /// (`nil`: any value), before or after the response of the link's last write (`nil`: either).
    case value(of: BLEUUID, by: CentralID, isIndication: Bool, ValueMatch?, ResponseOrder? = nil)
    /// A line of a board's console; lines before it are skipped permanently.
    case console(ConsolePattern, of: BoardID = .first)
    /// A console line that has begun with this text and not ended.
    case prompt(String, of: BoardID = .first)
    /// The end of a central's link, for this HCI reason or any.
    case disconnect(CentralID, reason: UInt8?)
    /// A state or movement of a servo. Skipped positions cannot be expected later, except the last position of a servo.
    case servo(ServoPattern, of: BoardID = .first)
    /// The state of a pin or part. Skipped states cannot be expected later, except the last one.
    case state(StatePattern, of: BoardID = .first)
    /// The state of a pin or part, just found by `state`, does not change for the whole time.
    case stateStays(StatePattern, of: BoardID = .first)
    /// The next bytes at the far end of a board's UART beside the console, in chunks of any size; if the conditions have
    /// no `bytes`, the expected part or line is searched for: all before it is skipped permanently.
    case uart(Int, ValueMatch, of: BoardID = .first)
    /// The next values that the server sends for a characteristic over the central's link, joined, and compared like the
    /// bytes of a UART.
    case stream(of: BLEUUID, by: CentralID, ValueMatch)
    /// The planned cut of a board's power.
    case powerCut(of: BoardID = .first)
    /// No event of these classes occurs for the whole time; console and servo events count for one board, or for all
    /// (`nil`).
    case nothing(Set<EventClass>, of: BoardID? = nil)

    /// The ability that the bench needs for the expected event to occur.
    var neededAbility: BenchAbility? {
        switch self {
        case .console, .prompt: .console
        case .servo: .servo
        case .state(let pattern, _), .stateStays(let pattern, _): pattern.neededAbility
        case .uart: .uarts
        case .value, .stream, .disconnect, .powerCut, .nothing: nil
        }
    }

    /// True if the expectation is that nothing occurs for the whole time.
    var isAbsence: Bool {
        switch self {
        case .nothing, .stateStays: true
        default: false
        }
    }
}

extension BenchSession {
    /// Waits for what is expected.
    public func expect(_ expectation: BenchExpectation, within timeout: Duration) async throws(BenchFailure) {
        if let ability = expectation.neededAbility, !bench.abilities.contains(ability) {
            throw BenchFailure(
                .benchFault, expected: describe(expectation), got: UnsupportedByBench(ability).description)
        }
        let started = executor.now
        let matcher = try matcher(expectation)
        // A time in which no event may occur is not lengthened: it proves as much on a slower bench.
        let limit = expectation.isAbsence ? TimeLimit(timeout) : TimeLimit(timeout, bench.timeFactor)
        let outcome = await wait(for: matcher, within: limit.duration)
        if expectation.isAbsence, outcome == nil, crash == nil { return }
        if case .matched? = outcome { return }
        let time = if case .stateStays = expectation { "for \(timeout.brief)" } else { "\(limit)" }
        let expected = describe(expectation) + " \(time)"
        switch outcome {
        case .mismatch(let got, let time)?:
            var failure = BenchFailure(
                .assertion, expected: expected, got: "\(got), \(EventLog.moment(time, since: started))")
            failure.event = log.entries.last { $0.isConsumed && $0.event.time == time }?.event
            throw failure
        case .undecided(let reason)?: throw BenchFailure(.suite, expected: expected, got: reason)
        case .linkLost(let reason)?:
            let why = reason.map { ": \(HCIErrorCode(rawValue: $0))" } ?? ""
            let restarts = restarts.map { "; \($0)" } ?? ""
            throw BenchFailure(.linkLost, expected: expected, got: "the link ended\(why)\(restarts)")
        case .matched?, nil:
            if let crash { throw BenchFailure(crash.cause, expected: expected, got: crash.got) }
            throw BenchFailure(.timedOut, expected: expected, got: instead(of: expectation, matcher, since: started))
        }
    }

    /// Waits for the next value that the server sends for a characteristic over the central's link.
    public func nextValue(
        of uuid: BLEUUID, by central: CentralID, isIndication: Bool, within timeout: Duration
    ) async throws(BenchFailure) -> [UInt8] {
        try await expect(.value(of: uuid, by: central, isIndication: isIndication, nil), within: timeout)
        let state = centrals[central.index]
        guard let attribute = state.attributes[uuid].map(state.eventAttribute) else { return [] }
        // The values of a characteristic are consumed in order.
        for entry in log.entries.reversed() where entry.isConsumed && entry.event.source == state.description.name {
            switch entry.event.payload {
            case let value as NotificationReceived where !isIndication && value.attribute == attribute:
                return value.value
            case let value as IndicationReceived where isIndication && value.attribute == attribute:
                return value.value
            default: continue
            }
        }
        return []
    }

    private func matcher(_ expectation: BenchExpectation) throws(BenchFailure) -> EventMatcher {
        switch expectation {
        case .value(let uuid, let central, let isIndication, let match, let order):
            let state = centrals[central.index]
            return .value(
                source: state.description.name, try eventAttribute(uuid, of: state), isIndication: isIndication,
                try match.map(prepared), order)
        case .console(.line(let text), let board): return .line(text, board: board.index)
        case .console(.regex(let pattern), let board): return .regex(try self.pattern(pattern), board: board.index)
        case .console(.value(let match), let board): return .lineValue(try prepared(match), board: board.index)
        case .prompt(let text, let board): return .prompt(text, board: board.index)
        case .disconnect(let central, let reason): return .disconnect(source: name(of: central), reason: reason)
        case .servo(let pattern, let board): return .servo(pattern, board: board.index)
        case .state(let pattern, let board):
            if case .content(_, _, let match) = pattern { _ = try prepared(match) }
            return .state(pattern, board: board.index)
        case .stateStays(let pattern, let board): return .stateStays(pattern, board: board.index)
        case .uart(let port, let match, let board):
            return .uart(StreamPattern(try prepared(match)), port: port, board: board.index)
        case .stream(let uuid, let central, let match):
            let state = centrals[central.index]
            let attribute = try eventAttribute(uuid, of: state)
            return .stream(StreamPattern(try prepared(match)), source: state.description.name, attribute)
        case .powerCut(let board): return .powerCut(board: board.index)
        case .nothing(let classes, let board): return .nothing(classes, board: board?.index)
        }
    }

    private func eventAttribute(_ uuid: BLEUUID, of state: CentralState) throws(BenchFailure) -> EventAttribute {
        guard state.central != nil, let attribute = state.attributes[uuid] else {
            throw BenchFailure(
                .assertion, expected: "a value of \(name(uuid))",
                got: "'\(state.description.name)' has discovered no such characteristic")
        }
        return state.eventAttribute(attribute)
    }

    private func describe(_ expectation: BenchExpectation) -> String {
        switch expectation {
        case .value(let uuid, _, let isIndication, let match, let order):
            (isIndication ? "an indication" : "a notification") + " of \(name(uuid))"
                + (match.map { " \($0.words)" } ?? "") + (order.map { " \($0) the write's response" } ?? "")
        case .console(.line(let text), let board): "the console line '\(text)'\(boards[board.index].ofBoard)"
        case .console(.regex(let pattern), let board):
            "a console line\(boards[board.index].ofBoard) matching /\(pattern)/"
        case .console(.value(let match), let board): "a console line\(boards[board.index].ofBoard) \(match.words)"
        case .prompt(let text, let board): "the prompt '\(text)' on the console\(boards[board.index].ofBoard)"
        case .disconnect(let central, let reason):
            "a disconnect of '\(name(of: central))'" + (reason.map { ", \(HCIErrorCode(rawValue: $0))" } ?? "")
        case .servo(let pattern, let board): "the servo\(boards[board.index].ofBoard) \(pattern)"
        case .state(let pattern, let board), .stateStays(let pattern, let board):
            "\(pattern)\(boards[board.index].ofBoard)"
        case .uart(let port, let match, let board):
            "\(Self.text(match)) from UART \(port)\(boards[board.index].ofBoard)"
        case .stream(let uuid, _, let match): "\(Self.text(match)) as values of \(name(uuid))"
        case .powerCut(let board): "the cut of the power\(boards[board.index].ofBoard)"
        case .nothing(let classes, let board):
            "no " + EventClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ", ")
                + (board.map { boards[$0.index].ofBoard } ?? "")
        }
    }

    /// The conditions on a stream as failures show them; long values are shown only as their length.
    private static func text(_ match: ValueMatch) -> String {
        guard let bytes = match.bytes else { return (match.isLine ? "a line " : "bytes ") + match.words }
        return (bytes.count > 64 ? "\(bytes.count) bytes" : ValueText.text(bytes, isText: match.isText))
            + match.maskWords
    }

    /// Conditions whose regular expression is known to compile.
    func prepared(_ match: ValueMatch) throws(BenchFailure) -> PreparedMatch {
        if let pattern = match.pattern { _ = try self.pattern(pattern) }
        return PreparedMatch(match: match, patterns: patterns)
    }

    /// Checks a value that was read; a failure has `expected`.
    public func check(_ value: [UInt8], _ match: ValueMatch, expected: String) throws(BenchFailure) {
        switch try prepared(match).answer(value) {
        case .met: break
        case .differs(let got): throw BenchFailure(.assertion, expected: expected, got: got)
        case .undecided(let reason): throw BenchFailure(.suite, expected: expected, got: reason)
        }
    }

    // MARK: States

    private static let pollingInterval = Duration.milliseconds(10)

    /// Waits until `missing` returns `nil`: for a state that no event reports. A failure shows any other result as
    /// `got`.
    public func expectState(
        _ expected: String, within timeout: Duration, _ missing: @Sendable () async throws(BenchFailure) -> String?
    ) async throws(BenchFailure) {
        let limit = TimeLimit(timeout, bench.timeFactor)
        let deadline = executor.now.advanced(by: limit.duration)
        while let got = try await missing() {
            guard executor.now < deadline, crash == nil else {
                throw BenchFailure(.assertion, expected: "\(expected) \(limit)", got: got)
            }
            await advance(by: min(Self.pollingInterval, executor.now.duration(to: deadline)))
        }
    }

    /// The name of the session's central or board (of several) with this identity address; `nil`: neither has it.
    public func peerName(_ identity: DeviceAddress) -> String? {
        if let central = centrals.first(where: { $0.identity == identity }) { return central.description.name }
        return boards.indices.first { bench.boards[$0].board.bluetoothAddress == identity }.flatMap { boards[$0].name }
    }
}
