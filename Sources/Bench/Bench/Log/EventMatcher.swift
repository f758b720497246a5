import BenchModel
import Console
import MonotonicTime

/// An expectation that is matched against the events of a bench; its values are already computed.
enum EventMatcher {
    /// The next value that the server sends for an attribute over a central's link.
    case value(source: String, EventAttribute, isIndication: Bool, PreparedMatch?, ResponseOrder?)
    /// A console line with this text.
    case line(String, board: Int)
    /// A console line that contains a match.
    case regex(LinePattern, board: Int)
    /// A console line that meets conditions.
    case lineValue(PreparedMatch, board: Int)
    /// A console line that has begun with this text and not ended: a prompt.
    case prompt(String, board: Int)
    /// The end of a central's link.
    case disconnect(source: String, reason: UInt8?)
    case servo(ServoPattern, board: Int)
    /// The state of a pin or part.
    case state(StatePattern, board: Int)
    /// A change from the state that was found before, which must not occur.
    case stateStays(StatePattern, board: Int)
    /// The next bytes at the far end of a UART.
    case uart(StreamPattern, port: Int, board: Int)
    /// The next values that the server sends for an attribute over a central's link, joined to one stream.
    case stream(StreamPattern, source: String, EventAttribute)
    /// The cut of a board's power.
    case powerCut(board: Int)
    /// An event of these classes, which must not occur; console and servo events count for this board only, or for any
    /// (`nil`).
    case nothing(Set<EventClass>, board: Int?)
}

/// The place of a value that the server sends, relative to the response of the last write.
public enum ResponseOrder: String, Hashable, Sendable, CaseIterable {
    case before
    case after
}

/// A class of events that may be expected not to occur.
public enum EventClass: String, Hashable, Sendable, CaseIterable {
    /// A notification on any link.
    case notification
    /// An indication on any link.
    case indication
    /// A console line that no expectation has matched or skipped yet.
    case console
    /// The end of any connection.
    case disconnect
    /// A servo that is attached, detached or sent to another angle.
    case servo
}

/// The expected state or movement of a servo.
public struct ServoPattern: Hashable, Sendable, CustomStringConvertible {
    /// A movement of a servo.
    public enum Movement: Hashable, Sendable {
        /// It is sent to this angle, in degrees.
        case angle(Int)
        /// It is sent from one angle to another through at least one intermediate angle, and never back.
        case sweep(from: Int, to: Int)
        /// It receives no pulses.
        case detached
    }

    /// The expected movement.
    public var movement: Movement
    /// The GPIO number of its signal; `nil`: any.
    public var pin: Int?

    /// A pattern.
    public init(_ movement: Movement, pin: Int? = nil) {
        self.movement = movement
        self.pin = pin
    }

    /// Servo pulses have a limited resolution, so that a measured angle may be up to two degrees too small.
    private static let tolerance = 2

    static func isNear(_ angle: Int?, _ wanted: Int) -> Bool {
        angle.map { abs($0 - wanted) <= tolerance } ?? false
    }

    /// The text for failures.
    public var description: String {
        switch movement {
        case .angle(let angle): "at \(angle)°"
        case .sweep(let from, let to): "sweeping from \(from)° to \(to)°"
        case .detached: "detached"
        }
    }
}

extension EventMatcher {
    /// True if it matches a console line that has not ended.
    var isPrompt: Bool {
        if case .prompt = self { true } else { false }
    }

    /// True if it is about the state of a pin or part.
    var isState: Bool {
        switch self {
        case .state, .stateStays: true
        default: false
        }
    }
}

/// Bytes that the far ends of the boards' UARTs have received and no expectation has consumed.
struct ByteStreams {
    /// Maximum number of kept bytes: a board that floods its UART must not exhaust memory.
    private static let capacity = 16 << 20

    private struct Key: Hashable {
        var board: Int
        var port: Int
    }

    private struct Stream {
        var bytes: [UInt8] = []
        var start = 0
        var lostCount = 0
        var lastTime = MonotonicInstant.zero
    }

    private var streams: [Key: Stream] = [:]

    mutating func append(_ received: UARTBytesReceived, of board: Int, at time: MonotonicInstant) {
        let key = Key(board: board, port: received.port)
        var stream = streams.removeValue(forKey: key) ?? Stream()
        if stream.bytes.count - stream.start + received.bytes.count > Self.capacity {
            stream.lostCount += received.bytes.count
        } else {
            stream.bytes += received.bytes
        }
        stream.lastTime = time
        streams[key] = stream
    }

    /// Compares the received bytes with `pattern`, and consumes them.
    mutating func outcome(of pattern: StreamPattern, port: Int, board: Int) -> EventLog.Outcome? {
        guard !pattern.isComplete else { return .matched }
        let key = Key(board: board, port: port)
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        defer { streams[key] = stream }
        let taken = pattern.take(stream.bytes[stream.start...])
        stream.start += taken.used
        if stream.start == stream.bytes.count {
            stream.bytes.removeAll(keepingCapacity: true)
            stream.start = 0
        }
        if let difference = taken.difference { return .mismatch(difference, stream.lastTime) }
        if !pattern.isComplete, stream.lostCount > 0 {
            return .mismatch(
                "\(pattern.progress); \(stream.lostCount) bytes more were not kept: no expectation took them",
                stream.lastTime)
        }
        return pattern.isComplete ? .matched : nil
    }

    /// The next bytes that no expectation has consumed, as failures show them.
    func rest(port: Int, board: Int) -> [UInt8] {
        guard let stream = streams[Key(board: board, port: port)] else { return [] }
        return Array(stream.bytes[stream.start...].prefix(32))
    }

    /// Forgets what a board has sent; `nil`: all boards.
    mutating func clear(board: Int? = nil) {
        streams = streams.filter { board != nil && $0.key.board != board }
    }
}
