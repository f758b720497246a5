public import MonotonicTime

/// Turns a board's console bytes into a monitor's output and log: lines with time stamps, filtered and coloured, a
/// hexadecimal dump, or the bytes themselves. A pure state machine.
///
/// The log has all lines, also those that the filter hides, without colours; with ``LogStamp`` it has them in each form
/// of the output, each with its date and time. A crash is never hidden.
public struct MonitorView: Sendable {
    /// The forms of the output.
    public enum Kind: String, CaseIterable, Sendable {
        /// Lines of visible text, with time stamps.
        case text
        /// A hexadecimal dump.
        case hex
        /// The bytes as received, without time stamps and filter.
        case raw
    }

    /// A line of the console, complete or as received so far.
    public struct Line: Hashable, Sendable {
        /// The visible text, without colours.
        public var text: String
        /// The bytes as received, without the terminator.
        public var bytes: [UInt8]
        /// When its last byte was received.
        public var time: MonotonicInstant
        /// Level and tag, if the line is a log line.
        public var log: LogLine?
        /// True if the filter shows it.
        public var isShown: Bool
        /// True if its terminator was received.
        public var isComplete: Bool
    }

    /// A piece of output.
    public struct Piece: Hashable, Sendable {
        /// The bytes for the screen.
        public var screen: [UInt8] = []
        /// The bytes for the log: whole lines, if the view is not raw.
        public var log: [UInt8] = []
        /// The line, if the piece is a line or completes one.
        public var line: Line?
    }

    /// How long an incomplete line is held before it is shown.
    public static let partialLineDelay = Duration.milliseconds(250)
    /// How many lines of a crash are shown although the filter hides them.
    private static let crashLength = 200

    /// The form of the output.
    public var kind: Kind {
        didSet { if kind != oldValue { restart() } }
    }
    /// The time stamps.
    public var stamps: LineStamps
    /// The filter for the shown lines.
    public var filter: LogFilter
    private let hasColours: Bool
    private let logStamp: LogStamp?
    private var splitter = LineSplitter()
    private var dump = HexDump()
    private var crashes = CrashDetector()
    private var crashLines = 0
    /// The time since which the incomplete line is held.
    private var pendingSince: MonotonicInstant?
    /// How many bytes of the incomplete line are on the screen.
    private var shownBytes = 0
    /// True if the screen's last line has no end yet.
    private var isOpen = false

    /// The date and time before a line of the log.
    public typealias LogStamp = @Sendable (MonotonicInstant) -> String

    /// A view; with colours for a terminal that has them. Without `logStamp` the log repeats the output.
    public init(
        _ kind: Kind, stamps: LineStamps, filter: LogFilter = .all, hasColours: Bool, logStamp: LogStamp? = nil
    ) {
        self.kind = kind
        self.logStamp = logStamp
        self.stamps = stamps
        self.filter = filter
        self.hasColours = hasColours
    }

    /// Adds bytes received at `now`.
    public mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) -> [Piece] {
        var pieces: [Piece] = []
        if kind == .raw { pieces.append(Piece(screen: bytes, log: logStamp == nil ? bytes : [])) }
        if kind == .hex { pieces += dump.append(bytes).map { dumped($0, now) } }
        for line in splitter.append(bytes, at: now) { pieces.append(completed(line)) }
        if splitter.pending.isEmpty {
            pendingSince = nil
        } else {
            let since = pendingSince ?? now
            pendingSince = since
            if since.duration(to: now) >= Self.partialLineDelay || shownBytes > 0 { pieces += partial() }
        }
        return pieces
    }

    /// Shows what is held because nothing has been received for ``partialLineDelay``.
    public mutating func idle(at now: MonotonicInstant) -> [Piece] {
        var pieces = partial()
        if kind == .hex, let line = dump.flush() { pieces.append(dumped(line, now)) }
        return pieces
    }

    /// Completes the output: at the end, or when the connection is lost.
    public mutating func finish(at now: MonotonicInstant) -> [Piece] {
        var pieces: [Piece] = []
        if kind == .hex, let line = dump.flush() { pieces.append(dumped(line, now)) }
        if let line = splitter.flush() { pieces.append(completed(line)) }
        if isOpen {
            isOpen = false
            pieces.append(Piece(screen: [0x0A]))
        }
        return pieces
    }

    /// A note of the monitor about the lines before it, at `now`.
    public mutating func note(_ text: String, at now: MonotonicInstant) -> Piece {
        let indent = Array(repeating: UInt8(ascii: " "), count: kind == .raw ? 0 : stamps.width)
        let opening: [UInt8] = isOpen ? [0x0A] : []
        isOpen = false
        let shown = hasColours ? LineColours.mark(text) : Array(text.utf8)
        return Piece(
            screen: opening + indent + shown + [0x0A],
            log: (logStamp.map { Array("\($0(now)) ".utf8) } ?? indent) + Array(text.utf8) + [0x0A])
    }

    // MARK: Lines

    private mutating func completed(_ raw: RawLine) -> Piece {
        defer {
            shownBytes = 0
            pendingSince = nil
        }
        var line = makeLine(raw.bytes, raw.time, isComplete: raw.end != .cut)
        if shownBytes > 0 { line.isShown = true }
        var piece = Piece(line: line)
        if let logStamp { piece.log = Array("\(logStamp(raw.time)) \(line.text)\n".utf8) }
        guard kind == .text else { return piece }
        let stamp = stamps.next(raw.time, text: raw.bytes)
        if shownBytes > 0, isOpen {
            piece.screen = rendered(Array(raw.bytes.dropFirst(shownBytes)), line.log) + [0x0A]
        } else if line.isShown {
            // After a note, the rest of an open line is shown on a separate line.
            let rest = shownBytes > 0 ? Array(raw.bytes.dropFirst(shownBytes)) : raw.bytes
            piece.screen = stamp + rendered(rest, line.log) + [0x0A]
        }
        isOpen = false
        if logStamp == nil { piece.log = stamp + Array(line.text.utf8) + [0x0A] }
        return piece
    }

    /// Shows the incomplete line, or the part of it that has not been shown.
    private mutating func partial() -> [Piece] {
        let end = splitter.pending.count - VisibleText.incompleteLength(splitter.pending)
        guard end > shownBytes else { return [] }
        let time = splitter.lastByte
        var line = makeLine(Array(splitter.pending.prefix(end)), time, isComplete: false)
        line.isShown = line.isShown || shownBytes > 0
        guard kind == .text, line.isShown else { return [Piece(line: line)] }
        let text = rendered(Array(splitter.pending[shownBytes..<end]), line.log)
        var next = stamps
        let stamp = isOpen ? [] : next.next(time, text: splitter.pending)
        shownBytes = end
        isOpen = true
        return [Piece(screen: stamp + text, line: line)]
    }

    private mutating func makeLine(_ bytes: [UInt8], _ time: MonotonicInstant, isComplete: Bool) -> Line {
        let text = VisibleText.make(bytes)
        let log = LogLine(bytes)
        let isCrash = crashLines > 0
        if isComplete {
            if crashes.receive(text) != nil {
                crashLines = Self.crashLength
            } else if crashLines > 0 {
                crashLines = text.hasPrefix("Rebooting...") ? 0 : crashLines - 1
            }
        }
        return Line(
            text: text, bytes: bytes, time: time, log: log,
            isShown: isCrash || crashLines > 0 || filter.showsAll || filter.shows(log),
            isComplete: isComplete)
    }

    private func rendered(_ bytes: [UInt8], _ log: LogLine?) -> [UInt8] {
        hasColours ? LineColours.coloured(bytes, level: log?.level) : VisibleText.visible(bytes)
    }

    private mutating func dumped(_ line: [UInt8], _ now: MonotonicInstant) -> Piece {
        let text = stamps.next(now, text: []) + line + [0x0A]
        return Piece(screen: text, log: logStamp == nil ? text : [])
    }

    /// Continues the output in another form, on a new line.
    private mutating func restart() {
        dump = HexDump()
        shownBytes = 0
    }
}

/// Colours of console lines on a terminal: the colours that the device sends; without them, colours by the level of a
/// log line.
public enum LineColours {
    private static let escape: UInt8 = 0x1B
    private static let reset = Array("\u{1B}[0m".utf8)

    /// The visible text of `bytes` with its colours, in UTF-8; resets the colour at the end.
    ///
    /// - Parameter level: the level, if the line is a log line.
    public static func coloured(_ bytes: [UInt8], level: LogLevel?) -> [UInt8] {
        if bytes.contains(escape) {
            let text = VisibleText.visible(bytes, keepsColours: true)
            let isOpen = text.contains(escape) && !text.suffix(reset.count).elementsEqual(reset)
            return isOpen ? text + reset : text
        }
        let text = VisibleText.visible(bytes)
        guard let level, !text.isEmpty else { return text }
        return sequence(of: level) + text + reset
    }

    /// `text` in a separate colour, for lines of the monitor.
    public static func mark(_ text: String) -> [UInt8] {
        Array("\u{1B}[36m".utf8) + Array(text.utf8) + reset
    }

    /// Errors red, warnings yellow, information green, as in ESP-IDF; less severe levels blue and grey.
    private static func sequence(of level: LogLevel) -> [UInt8] {
        switch level {
        case .error: errorSequence
        case .warning: warningSequence
        case .info: infoSequence
        case .debug: debugSequence
        case .verbose: verboseSequence
        }
    }

    private static let errorSequence = Array("\u{1B}[31m".utf8)
    private static let warningSequence = Array("\u{1B}[33m".utf8)
    private static let infoSequence = Array("\u{1B}[32m".utf8)
    private static let debugSequence = Array("\u{1B}[34m".utf8)
    private static let verboseSequence = Array("\u{1B}[90m".utf8)
}

/// The time stamps before a console's lines.
public struct LineStamps: Sendable {
    /// The kind of time stamps.
    public enum Kind: String, CaseIterable, Sendable {
        /// Seconds since the monitor began, or since the last start of the board that the monitor saw: `[    1.234]`.
        case board
        /// The time of day: `[06:12:01.123]`.
        case host
        /// Seconds since the line before: `[+   0.015]`.
        case delta
        /// No time stamps.
        case none
    }

    /// The time of day of an instant, in nanoseconds since midnight.
    public typealias TimeOfDay = @Sendable (MonotonicInstant) -> Int64

    /// The kind of time stamps.
    public var kind: Kind
    private var origin: MonotonicInstant
    private var former: MonotonicInstant
    private var isFirst = true
    private let timeOfDay: TimeOfDay

    /// Stamps of a monitor that began at `origin`.
    public init(_ kind: Kind, since origin: MonotonicInstant, timeOfDay: @escaping TimeOfDay = { _ in 0 }) {
        self.kind = kind
        self.origin = origin
        former = origin
        self.timeOfDay = timeOfDay
    }

    /// The stamp of the next line, with a space after it. If `text` is the ROM's first line at a start, the time
    /// restarts at 0, unless it is the monitor's first line.
    public mutating func next(_ time: MonotonicInstant, text: [UInt8]) -> [UInt8] {
        if Self.isStart(text), !isFirst { origin = time }
        isFirst = false
        defer { former = time }
        switch kind {
        case .none: return []
        case .board: return Self.seconds(origin.duration(to: time).wholeNanoseconds, "[", width: 5)
        case .delta: return Self.seconds(former.duration(to: time).wholeNanoseconds, "[+", width: 4)
        case .host:
            let milliseconds = max(0, timeOfDay(time)) / 1_000_000
            let (hours, minutes) = (milliseconds / 3_600_000 % 24, milliseconds / 60_000 % 60)
            var stamp = [UInt8(ascii: "[")]
            for (value, mark) in [(hours, ":"), (minutes, ":"), (milliseconds / 1000 % 60, ".")] {
                stamp += Self.padded(value, 2)
                stamp += mark.utf8
            }
            return stamp + Self.padded(milliseconds % 1000, 3) + Array("] ".utf8)
        }
    }

    /// The time for machine-readable output: seconds since the start of the board or the monitor.
    public func seconds(_ time: MonotonicInstant) -> Double {
        Double(origin.duration(to: time).wholeNanoseconds / 1_000_000) / 1000
    }

    /// The columns of a stamp.
    public var width: Int {
        switch kind {
        case .none: 0
        case .board, .delta: 12
        case .host: 15
        }
    }

    /// True if `text` is the first line of the ROM's boot log: `ets Jun  8 2016 00:22:57`,
    /// `ESP-ROM:esp32c3-api1-20210207`.
    private static func isStart(_ text: [UInt8]) -> Bool {
        switch text.first {
        case UInt8(ascii: "e"): text.starts(with: "ets Ju".utf8)
        case UInt8(ascii: "E"): text.starts(with: "ESP-ROM:".utf8)
        default: false
        }
    }

    private static func seconds(_ nanoseconds: Int64, _ opening: String, width: Int) -> [UInt8] {
        let milliseconds = max(0, nanoseconds) / 1_000_000
        var seconds = String(milliseconds / 1000).utf8.map(\.self)
        if seconds.count < width {
            seconds.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: width - seconds.count), at: 0)
        }
        return Array(opening.utf8) + seconds + [UInt8(ascii: ".")] + padded(milliseconds % 1000, 3) + Array("] ".utf8)
    }

    /// `value` with at least `digits` digits.
    private static func padded(_ value: Int64, _ digits: Int) -> [UInt8] {
        let text = Array(String(value).utf8)
        return Array(repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }
}
