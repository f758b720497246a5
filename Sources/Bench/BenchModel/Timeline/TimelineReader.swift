import MonotonicTime

/// Reads a timeline: JSON Lines as ``TimelineLineWriter`` writes them, beginning with a ``TimelineBegan``.
///
/// Lines may be split across pieces. A truncated timeline is an error at its end; the events before it are valid.
public struct TimelineReader: Sendable {
    /// The versions of the format that can be read; the last one is written.
    ///
    /// Version 1 has neither `case` nor names of attributes; versions before 3 have no ``TimelineEnded``.
    public static let formatVersions = 1...3

    /// The maximum length of a line in bytes; real events are much shorter.
    private static let maximumLineLength = 1 << 20

    private var lines = 0
    private var version: Int?
    private var hasEnded = false
    private var rest: [UInt8] = []
    /// The error in a line that followed valid lines in the same piece.
    private var fault: TimelineError?

    /// A reader at the beginning of a timeline.
    public init() {}

    /// Reads the next piece of the text; returns the events of all completed lines up to a faulty one.
    ///
    /// - Throws: ``TimelineError`` for a line that is not an event, or a timeline of a version that cannot be read; if
    ///   the piece has events before that line, the next call throws.
    public mutating func read(_ text: some Collection<UInt8>) throws(TimelineError) -> [BenchEvent] {
        if let fault { throw fault }
        var events: [BenchEvent] = []
        do throws(TimelineError) {
            try read(text, into: &events)
        } catch {
            if events.isEmpty { throw error }
            fault = error
        }
        return events
    }

    private mutating func read(
        _ text: some Collection<UInt8>, into events: inout [BenchEvent]
    ) throws(TimelineError) {
        var start = text.startIndex
        while let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += text[start..<end]
            events.append(try event(rest[...]))
            rest.removeAll(keepingCapacity: true)
            start = text.index(after: end)
        }
        rest += text[start...]
        guard rest.count <= Self.maximumLineLength else {
            throw TimelineError(line: lines + 1, "expected a line of at most \(Self.maximumLineLength) bytes")
        }
    }

    /// Ends the text.
    ///
    /// - Throws: ``TimelineError`` when the timeline is cut off, or nothing was read.
    public func finish() throws(TimelineError) {
        if let fault { throw fault }
        guard rest.isEmpty else {
            // Text that does not begin like a timeline is reported as such, not as truncated.
            guard version != nil || rest.starts(with: "{\"t\"".utf8) else {
                throw TimelineError(line: 1, "not a timeline: \(EventFields.expectation)")
            }
            throw TimelineError(line: lines + 1, "the timeline ends in the middle of a line: it was cut off there")
        }
        guard let version else { throw TimelineError(line: 1, "expected a timeline, got nothing") }
        guard hasEnded || version < 3 else {
            throw TimelineError(
                line: lines + 1, "expected a last line of kind '\(TimelineEnded.kind)': the timeline was cut off there")
        }
    }

    private mutating func event(_ text: ArraySlice<UInt8>) throws(TimelineError) -> BenchEvent {
        lines += 1
        let fields: EventFields
        let kind: String
        do throws(TimelineError) {
            fields = try EventFields(text, line: lines)
            kind = try fields.string("kind")
        } catch {
            throw version != nil ? error : TimelineError(line: 1, "not a timeline: \(error.message)")
        }
        if version == nil { try begin(kind, fields) }
        guard !hasEnded else { throw fields.fault("expected nothing after the line of kind '\(TimelineEnded.kind)'") }
        let event = try BenchEvent(fields)
        if let end = event.payload as? TimelineEnded {
            guard end.events == lines - 1 else {
                throw fields.fault("expected \(end.events) lines before the last one, got \(lines - 1)")
            }
            hasEnded = true
        }
        return event
    }

    private mutating func begin(_ kind: String, _ fields: EventFields) throws(TimelineError) {
        guard kind == TimelineBegan.kind else {
            throw fields.fault("not a timeline: expected a first line of kind 'timeline', got '\(kind)'")
        }
        let version = try fields.integer("version")
        guard Self.formatVersions.contains(version) else {
            let writer = version > Self.formatVersions.upperBound ? "a newer espbench" : "no espbench"
            throw fields.fault(
                "expected a timeline of version \(Self.formatVersions.lowerBound) to \(Self.formatVersions.upperBound), "
                    + "got version \(version): \(writer) wrote it")
        }
        self.version = version
    }
}

/// Why a timeline cannot be read.
public struct TimelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line number, counted from 1.
    public let line: Int
    /// The fault.
    public let message: String

    init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    /// One line.
    public var description: String { "line \(line): \(message)" }
}
