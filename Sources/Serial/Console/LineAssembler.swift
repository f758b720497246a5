public import MonotonicTime

/// Splits a board's console bytes into lines of visible text; a pure state machine that buffers at most one line.
public struct LineAssembler: Sendable {
    private var splitter: LineSplitter

    /// An assembler whose lines have at most `maximumLength` bytes (at least 1).
    public init(maximumLength: Int = 4096) {
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    /// The longest line, in bytes.
    public var maximumLength: Int { splitter.maximumLength }

    /// Whether the buffer holds an incomplete line.
    public var hasPartialLine: Bool { !splitter.pending.isEmpty }

    /// The incomplete line, e.g. a prompt.
    public var partialLine: String { VisibleText.make(splitter.pending) }

    /// Adds bytes received at `now`; returns the lines they complete.
    public mutating func append(_ bytes: [UInt8], at now: MonotonicInstant) -> [ConsoleLine] {
        splitter.append(bytes, at: now).map(ConsoleLine.init)
    }

    /// Removes and returns the incomplete line, if there is one.
    public mutating func flush() -> ConsoleLine? {
        splitter.flush().map(ConsoleLine.init)
    }
}

extension ConsoleLine {
    /// The visible text of a line as it was received.
    public init(_ line: RawLine) {
        self.init(text: VisibleText.make(line.bytes), time: line.time, end: line.end)
    }
}
