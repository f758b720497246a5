public import MonotonicTime

/// One line of a board's console as it was received, without its terminator.
public struct RawLine: Hashable, Sendable {
    /// The bytes, which may be of any value but CR and LF.
    public var bytes: [UInt8]
    /// When its last byte was received, including the terminator.
    public var time: MonotonicInstant
    /// Why it ended.
    public var end: ConsoleLine.End

    /// A line.
    public init(bytes: [UInt8], time: MonotonicInstant, end: ConsoleLine.End = .terminated) {
        self.bytes = bytes
        self.time = time
        self.end = end
    }
}

/// Splits a board's console bytes into lines at CR, LF and CRLF; a pure state machine that buffers at most one line.
public struct LineSplitter: Sendable {
    /// The longest line, in bytes.
    public let maximumLength: Int
    /// The incomplete line, e.g. a prompt.
    public private(set) var pending: [UInt8] = []
    /// When the last byte was received.
    public private(set) var lastByte = MonotonicInstant.zero
    private var followsCarriageReturn = false

    /// A splitter whose lines have at most `maximumLength` bytes (at least 1).
    public init(maximumLength: Int = 4096) {
        self.maximumLength = max(1, maximumLength)
    }

    /// Adds bytes received at `now`; returns the lines they complete.
    public mutating func append(_ bytes: [UInt8], at now: MonotonicInstant) -> [RawLine] {
        var lines: [RawLine] = []
        var rest = bytes[...]
        if followsCarriageReturn, let first = rest.first {
            followsCarriageReturn = false
            if first == 0x0A { rest.removeFirst() }
        }
        while !rest.isEmpty {
            lastByte = now
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let room = maximumLength - pending.count
            if end - rest.startIndex > room {
                pending += rest.prefix(room)
                rest = rest.dropFirst(room)
                lines.append(makeLine(.cut))
                continue
            }
            pending += rest[..<end]
            guard end < rest.endIndex else { break }
            lines.append(makeLine(.terminated))
            let isCarriageReturn = rest[end] == 0x0D
            rest = rest[(end + 1)...]
            guard isCarriageReturn else { continue }
            if rest.isEmpty {
                followsCarriageReturn = true
            } else if rest.first == 0x0A {
                rest.removeFirst()
            }
        }
        return lines
    }

    /// Removes and returns the incomplete line, if there is one.
    public mutating func flush() -> RawLine? {
        pending.isEmpty ? nil : makeLine(.flushed)
    }

    private mutating func makeLine(_ end: ConsoleLine.End) -> RawLine {
        defer { pending.removeAll(keepingCapacity: true) }
        return RawLine(bytes: pending, time: lastByte, end: end)
    }
}
