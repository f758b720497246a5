public import MonotonicTime

/// Splits a board's console bytes into lines; a pure state machine that buffers at most one line.
public struct LineAssembler: Sendable {
    /// The longest line, in bytes.
    public let maximumLength: Int
    private var pending: [UInt8] = []
    private var lastByte = MonotonicInstant.zero
    private var followsCarriageReturn = false

    /// An assembler whose lines have at most `maximumLength` bytes (at least 1).
    public init(maximumLength: Int = 4096) {
        self.maximumLength = max(1, maximumLength)
    }

    /// Whether the buffer holds an incomplete line.
    public var hasPartialLine: Bool { !pending.isEmpty }

    /// The incomplete line, e.g. a prompt.
    public var partialLine: String { VisibleText.make(pending) }

    /// Adds bytes received at `now`; returns the lines they complete.
    public mutating func append(_ bytes: [UInt8], at now: MonotonicInstant) -> [ConsoleLine] {
        var lines: [ConsoleLine] = []
        for byte in bytes {
            let endsTerminator = byte == 0x0A && followsCarriageReturn
            followsCarriageReturn = byte == 0x0D
            if endsTerminator { continue }
            lastByte = now
            if byte == 0x0A || byte == 0x0D {
                lines.append(makeLine(.terminated))
                continue
            }
            if pending.count == maximumLength { lines.append(makeLine(.cut)) }
            pending.append(byte)
        }
        return lines
    }

    /// Removes and returns the incomplete line, if there is one.
    public mutating func flush() -> ConsoleLine? {
        pending.isEmpty ? nil : makeLine(.flushed)
    }

    private mutating func makeLine(_ end: ConsoleLine.End) -> ConsoleLine {
        defer { pending.removeAll(keepingCapacity: true) }
        return ConsoleLine(text: VisibleText.make(pending), time: lastByte, end: end)
    }
}
