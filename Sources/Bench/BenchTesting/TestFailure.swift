public import Bench
public import BenchModel
import BenchReports
import BLECentral
import BLEPackets
public import Testing

/// A failure on a bench, with the call of the test that failed. The trait turns it into an issue of the test.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
    /// The expected and the occurred event.
    public var failure: BenchFailure
    /// The call that failed.
    public var sourceLocation: SourceLocation
    /// The last events before it, oldest first.
    public var timeline: [BenchEvent]
    /// The kind of bench.
    public var bench: String

    init(_ failure: BenchFailure, _ session: BenchSession, _ sourceLocation: SourceLocation) {
        self.failure = failure
        self.sourceLocation = sourceLocation
        timeline = session.recorder.recentEvents
        bench = session.bench.name
    }

    /// The number of events in the text; all events are attached.
    static let shownEvents = 16

    /// The expected and the occurred event, and the last events before it.
    public var description: String {
        let events = timeline.suffix(Self.shownEvents)
        return "expected \(failure.expected)\n     got \(failure.got)"
            + (events.isEmpty ? "" : "\n" + Timeline.text(events))
    }

    /// Records the failure as an issue, with the timeline as an attachment: for a test that catches the failure and
    /// continues.
    public func record() {
        Issue.record("\(description)", sourceLocation: sourceLocation)
        Timeline.attach(timeline, sourceLocation)
    }
}

/// Why a bench could not be made: the sketch was not found or not built, or no such kind of bench exists.
public struct TestSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, with the expected and the occurred event.
    public var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension CentralError.Code {
    /// The error as the specification names it.
    var name: String {
        switch self {
        case .attError(let code): "ATT error \(ATTErrorCode(rawValue: code))"
        case .pairingFailed(let reason): "a failed pairing: \(SMPFailureReason(rawValue: reason))"
        case .encryptionFailed(let status): "a failed encryption: \(HCIErrorCode(rawValue: status))"
        case .controller(let status): "HCI error \(HCIErrorCode(rawValue: status))"
        case .disconnected(let reason?): "the end of the link: \(HCIErrorCode(rawValue: reason))"
        case .disconnected(nil): "the end of the link"
        case .timedOut: "a time-out"
        case .notConnected: "no link"
        case .notBonded: "no bond"
        case .protocolViolation: "a violation of the protocol"
        case .invalidState: "a stack that does not allow it now"
        case .storage: "keys that cannot be read or kept"
        case .unsupported: "a stack that cannot do it"
        case .unavailable: "an adapter that is gone"
        }
    }
}

/// A part of a bench's timeline, for people.
enum Timeline {
    /// One line for each event.
    static func text(_ events: some Sequence<BenchEvent>) -> String {
        events.map(EventLine.text).joined(separator: "\n")
    }

    /// Attaches the events to the test.
    static func attach(_ events: [BenchEvent], _ sourceLocation: SourceLocation) {
        guard !events.isEmpty else { return }
        let test = Test.current.map { $0.name.prefix { $0 != "(" } + "-" } ?? ""
        Attachment.record(text(events) + "\n", named: "\(test)timeline.txt", sourceLocation: sourceLocation)
    }
}
