import MonotonicTime

extension BenchEvent {
    /// Reads one line of a timeline by itself, for whoever reads lines in any order.
    ///
    /// - Parameters:
    ///   - line: the line, without its ending.
    ///   - number: its number in the timeline, from 1.
    /// - Throws: ``TimelineError`` for a line that is no event, or of a kind that a newer espbench has.
    public init(line: ArraySlice<UInt8>, number: Int) throws(TimelineError) {
        try self.init(try EventFields(line, line: number))
    }

    init(_ fields: EventFields) throws(TimelineError) {
        let kind = try fields.string("kind")
        guard let type = EventKinds.byName[kind] else { throw fields.fault("unknown kind of event '\(kind)'") }
        let time = try fields.integer("t")
        guard time >= 0 else { throw fields.fault("expected 't' of 0 or more, got \(time)") }
        let payload = try type.init(fields)
        self.init(
            time: MonotonicInstant(nanoseconds: Int64(time)), source: try fields.string("source"),
            caseNumber: try fields.optionalInteger("case") ?? 0, payload: payload)
    }
}
