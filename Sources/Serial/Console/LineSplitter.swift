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

/// Splits a board's console bytes into lines of visible text; a pure state machine that buffers at most one line.
public struct LineAssembler: Sendable {
    private var splitter: LineSplitter

    /// An assembler whose lines have at most `maximumLength` bytes (at least 1).
    public init(maximumLength: Int = 4096) {
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    /// The longest line, in bytes.
    public var maximumLength: Int { splitter.maximumLength }

    /// True if the buffer contains an incomplete line.
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

/// One line of a board's console, safe to print on a terminal.
public struct ConsoleLine: Hashable, Sendable {
    /// Why the line ended.
    public enum End: Hashable, Sendable {
        /// At CR, LF or CRLF.
        case terminated
        /// The line was requested before its terminator was received.
        case flushed
        /// The line reached the maximum length; the next line continues it.
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

/// The source locations of a console line's code addresses, as lines that a monitor shows below it, in the format of
/// ESP-IDF's monitor.
public enum DecodedLines {
    /// The lines for `line`; empty when it contains no code address that `resolver` knows.
    public static func text(for line: String, _ resolver: any AddressResolver) async -> [String] {
        await text(for: BacktraceDecoder.addresses(in: line), resolver)
    }

    /// The lines for the `addresses` that `resolver` knows.
    static func text(for addresses: [CodeAddress], _ resolver: any AddressResolver) async -> [String] {
        guard !addresses.isEmpty else { return [] }
        return text(of: await resolver.frames(at: addresses).flatMap(\.self))
    }

    /// A line for each frame, with `mark` before its address.
    static func text(of frames: [CodeFrame], mark: String = "") -> [String] {
        frames.map { frame in
            let address = frame.isInlined ? "(inlined)" : "0x\(String(frame.address, radix: 16))"
            return "--- \(mark)\(address): \(frame.text)"
        }
    }
}
