public import MonotonicTime

/// One line of a board's console, safe to print on a terminal.
public struct ConsoleLine: Hashable, Sendable {
    /// Why the line ended.
    public enum End: Hashable, Sendable {
        /// At CR, LF or CRLF.
        case terminated
        /// It was asked for before its end came.
        case flushed
        /// It was longer than a line may be; the next line goes on with it.
        case cut
    }

    /// The text without its terminator. Colour sequences are gone; other control characters and bytes that are not
    /// UTF-8 show as `\xNN` or `\u{NNNN}`.
    public var text: String
    /// When its last byte came, the terminator counted.
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
