import BenchModel
import Console

/// What an expectation looks for among the events of a bench, with its values computed.
enum EventMatcher {
    /// The next value that the server sends for an attribute over a central's link.
    case value(source: String, EventAttribute, isIndication: Bool, bytes: [UInt8]?, isText: Bool)
    /// A console line with this text.
    case line(String, board: Int)
    /// A console line that contains a match.
    case regex(LinePattern, board: Int)
    /// A console line that has begun with this text and not ended: a prompt.
    case prompt(String, board: Int)
    /// The end of a central's link.
    case disconnect(source: String, reason: UInt8?)
    case servo(ServoPattern, board: Int)
    /// The next bytes at the far end of a UART.
    case uart(StreamPattern, port: Int, board: Int)
    /// The next values that the server sends for an attribute over a central's link, together.
    case stream(StreamPattern, source: String, EventAttribute)
    /// The cut of a board's power.
    case powerCut(board: Int)
    /// Any of these: none may come; of console and servos, of this board, or any (`nil`).
    case nothing(Set<EventClass>, board: Int?)
}

/// What may be expected not to happen.
public enum EventClass: String, Hashable, Sendable, CaseIterable {
    /// A notification on any link.
    case notification
    /// An indication on any link.
    case indication
    /// A console line that no expectation has passed yet.
    case console
    /// The end of any connection.
    case disconnect
    /// A servo that is attached, detached or sent to another angle.
    case servo
}

/// How a servo has to be or to move.
public struct ServoPattern: Hashable, Sendable, CustomStringConvertible {
    /// What the servo does.
    public enum Movement: Hashable, Sendable {
        /// It is sent to this angle, in degrees.
        case angle(Int)
        /// It is sent from one angle to another over at least one between them, and never back.
        case sweep(from: Int, to: Int)
        /// It receives no pulses.
        case detached
    }

    /// What it does.
    public var movement: Movement
    /// The GPIO number of its signal; `nil`: any.
    public var pin: Int?

    /// A pattern.
    public init(_ movement: Movement, pin: Int? = nil) {
        self.movement = movement
        self.pin = pin
    }

    /// Pulses come in steps, so that an angle arrives as up to two degrees less.
    private static let tolerance = 2

    static func isNear(_ angle: Int?, _ wanted: Int) -> Bool {
        angle.map { abs($0 - wanted) <= tolerance } ?? false
    }

    /// As failures show it.
    public var description: String {
        switch movement {
        case .angle(let angle): "at \(angle)°"
        case .sweep(let from, let to): "sweeping from \(from)° to \(to)°"
        case .detached: "detached"
        }
    }
}

extension EventMatcher {
    /// Whether it is about a console line that has not ended.
    var isPrompt: Bool {
        if case .prompt = self { true } else { false }
    }
}
