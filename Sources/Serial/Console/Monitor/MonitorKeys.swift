/// Interprets the keys typed in a monitor: bytes for the board, or a command after the menu key. A pure state machine.
///
/// Ctrl-] leaves; Ctrl-T is the menu key, as in ESP-IDF's monitor.
public struct MonitorKeys: Sendable {
    /// Ctrl-], which leaves.
    public static let leave: UInt8 = 0x1D
    /// Ctrl-T, before a command.
    public static let menu: UInt8 = 0x14
    /// Ctrl-C, which on a terminal ends the monitor: a command of the menu sends it.
    public static let interrupt: UInt8 = 0x03

    /// The action of a key.
    public enum Action: Hashable, Sendable {
        /// Sends bytes to the board.
        case send([UInt8])
        /// Leaves the monitor.
        case leave
        /// Shows the keys.
        case help
        /// Restarts the board.
        case reset
        /// Restarts the board into its loader.
        case bootloader
        /// Pauses the output, or shows the held output.
        case pause
        /// Begins or ends the log.
        case log
        /// Changes what Enter sends.
        case lineEnding(LineEnding)
        /// Changes the form of the output.
        case view
        /// Changes the time stamps.
        case stamps
        /// Asks for a filter: output is held until ``filter(_:)`` or ``cancel``.
        case prompt
        /// Shows the text typed into the prompt.
        case echo(String)
        /// The filter that was typed.
        case filter(String)
        /// The prompt was left.
        case cancel
        /// This key has no command.
        case unknown(UInt8)
    }

    private enum State: Hashable, Sendable {
        case typing, menu
        case prompt([UInt8])
    }

    /// The line ending that Enter sends.
    public private(set) var lineEnding: LineEnding
    private var state = State.typing

    /// Keys of a monitor whose Enter sends `lineEnding`.
    public init(lineEnding: LineEnding) {
        self.lineEnding = lineEnding
    }

    /// Reads typed bytes, up to one that leaves the monitor.
    public mutating func receive(_ bytes: [UInt8]) -> [Action] {
        var actions: [Action] = []
        var typed: [UInt8] = []
        for byte in bytes {
            if state == .typing, byte != Self.leave, byte != Self.menu {
                typed += lineEnding.translating([byte])
                continue
            }
            if !typed.isEmpty { actions.append(.send(typed)) }
            typed = []
            actions += command(byte)
            if actions.last == .leave { return actions }
        }
        if !typed.isEmpty { actions.append(.send(typed)) }
        return actions
    }

    private mutating func command(_ byte: UInt8) -> [Action] {
        switch state {
        case .typing:
            if byte == Self.leave { return [.leave] }
            state = .menu
            return []
        case .menu:
            state = .typing
            return [menuAction(byte)]
        case .prompt(let text):
            return edit(text, byte)
        }
    }

    /// Ctrl with a letter is the same command, so that the key need not be released in between.
    private mutating func menuAction(_ byte: UInt8) -> Action {
        switch byte {
        case Self.menu, Self.leave: return .send([byte])
        case UInt8(ascii: "c"), Self.interrupt: return .send([Self.interrupt])
        case UInt8(ascii: "h"), UInt8(ascii: "?"), 0x08: return .help
        case UInt8(ascii: "r"), 0x12: return .reset
        case UInt8(ascii: "b"), 0x02, UInt8(ascii: "p"), 0x10: return byte | 0x60 == 0x62 ? .bootloader : .pause
        case UInt8(ascii: "l"), 0x0C: return .log
        case UInt8(ascii: "v"), 0x16: return .view
        case UInt8(ascii: "t"): return .stamps
        case UInt8(ascii: "q"), UInt8(ascii: "x"), 0x18: return .leave
        case UInt8(ascii: "e"), 0x05:
            lineEnding = lineEnding.next
            return .lineEnding(lineEnding)
        case UInt8(ascii: "f"), 0x06:
            state = .prompt([])
            return .prompt
        default: return .unknown(byte)
        }
    }

    private mutating func edit(_ text: [UInt8], _ byte: UInt8) -> [Action] {
        switch byte {
        case 0x0A, 0x0D:
            state = .typing
            return [.filter(VisibleText.make(text))]
        case 0x1B, Self.leave, Self.menu:
            state = .typing
            return [.cancel]
        case 0x08, 0x7F:
            guard !text.isEmpty else { return [] }
            state = .prompt(text.dropLast())
            return [.echo("\u{8} \u{8}")]
        case 0x20..<0x7F:
            state = .prompt(text + [byte])
            return [.echo(String(UnicodeScalar(byte)))]
        default: return []
        }
    }
}

/// The line ending that Enter sends to a board.
public enum LineEnding: String, CaseIterable, Sendable {
    case lf, cr, crlf
    /// No bytes: Enter ends the line for the user only.
    case none

    /// The bytes.
    public var bytes: [UInt8] {
        switch self {
        case .lf: [0x0A]
        case .cr: [0x0D]
        case .crlf: [0x0D, 0x0A]
        case .none: []
        }
    }

    /// `typed` with this line ending in place of each LF, the byte of the Enter key.
    public func translating(_ typed: [UInt8]) -> [UInt8] {
        self == .lf ? typed : typed.flatMap { $0 == 0x0A ? bytes : [$0] }
    }

    /// The next line ending, for a key that cycles through all.
    var next: LineEnding {
        switch self {
        case .lf: .cr
        case .cr: .crlf
        case .crlf, .none: .lf
        }
    }
}
