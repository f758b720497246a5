import MonotonicTime

/// Reads a timeline: JSON Lines as ``TimelineLineWriter`` writes them, beginning with a ``TimelineBegan``.
///
/// Lines may come in pieces; a line that is not ended when the text ends is a fault, as the run that wrote it was cut
/// off there: what was read before it stands.
public struct TimelineReader: Sendable {
    /// The versions of the format that can be read; the last one is written.
    ///
    /// Version 1 has neither `case` nor names of attributes.
    public static let formatVersions = 1...2

    private var lines = 0
    private var hasBegun = false
    private var rest: [UInt8] = []

    /// A reader at the beginning of a timeline.
    public init() {}

    /// Reads the next piece of the text; returns the events of the lines that it ends.
    ///
    /// - Throws: ``TimelineError`` for a line that is no event, or a timeline of a version that cannot be read.
    public mutating func read(_ text: some Collection<UInt8>) throws(TimelineError) -> [BenchEvent] {
        var events: [BenchEvent] = []
        var start = text.startIndex
        while let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += text[start..<end]
            events.append(try event(String(decoding: rest, as: UTF8.self)))
            rest.removeAll(keepingCapacity: true)
            start = text.index(after: end)
        }
        rest += text[start...]
        return events
    }

    /// Ends the text.
    ///
    /// - Throws: ``TimelineError`` when a line is not ended, or nothing was read.
    public func finish() throws(TimelineError) {
        guard rest.isEmpty else {
            throw TimelineError(line: lines + 1, "the timeline ends in the middle of a line: it was cut off there")
        }
        guard hasBegun else { throw TimelineError(line: 1, "expected a timeline, got nothing") }
    }

    private mutating func event(_ text: String) throws(TimelineError) -> BenchEvent {
        lines += 1
        let fields: EventFields
        let kind: String
        do throws(TimelineError) {
            fields = try EventFields(text, line: lines)
            kind = try fields.string("kind")
        } catch {
            throw hasBegun ? error : TimelineError(line: 1, "not a timeline: \(error.message)")
        }
        if !hasBegun { try begin(kind, fields) }
        guard let type = EventKinds.byName[kind] else { throw fields.fault("unknown kind of event '\(kind)'") }
        return BenchEvent(
            time: MonotonicInstant(nanoseconds: Int64(try fields.integer("t"))), source: try fields.string("source"),
            caseNumber: try fields.optionalInteger("case") ?? 0, payload: try type.init(fields))
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
        hasBegun = true
    }
}

/// Why a timeline cannot be read.
public struct TimelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong with it.
    public let message: String

    init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    /// One line.
    public var description: String { "line \(line): \(message)" }
}
