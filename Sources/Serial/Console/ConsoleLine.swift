public import MonotonicTime

/// One line of a board's console, safe to print on a terminal.
public struct ConsoleLine: Hashable, Sendable {
    /// Why the line ended.
    public enum End: Hashable, Sendable {
        /// At CR, LF or CRLF.
        case terminated
        /// It was requested before its terminator was received.
        case flushed
        /// It reached the maximum length; the next line continues it.
        case cut
    }

    /// The text without its terminator. Colour sequences are removed; other control characters and bytes that are not
    /// UTF-8 show as `\xNN` or `\u{NNNN}`.
    public var text: String
    /// When its last byte was received, including the terminator.
    public var time: MonotonicInstant
    /// Why it ended.
    public var end: End

    /// A line.
    public init(text: String, time: MonotonicInstant, end: End = .terminated) {
        self.text = text
        self.time = time
        self.end = end
    }
}
