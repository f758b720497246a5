import MonotonicTime

/// Writes events as JSON Lines: one object a line, keys in a fixed order, integers only, so that equal runs give
/// equal bytes.
///
/// Each line has `t` (nanoseconds on the bench's clock), `source`, `kind` and, within a case, `case` (its number), then
/// the kind's own keys. Values are lower-case hexadecimal text.
public struct TimelineLineWriter: Sendable {
    private var json = JSONWriter()

    /// A writer with nothing written.
    public init() {}

    /// The lines written so far.
    public var bytes: [UInt8] { json.bytes }

    /// How many bytes the lines written so far have.
    public var count: Int { json.bytes.count }

    /// Forgets the lines written so far.
    public mutating func removeAll() {
        json.bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the line of `event`.
    public mutating func append(_ event: BenchEvent) {
        json.event(event)
        json.bytes.append(UInt8(ascii: "\n"))
        json.startOver()
    }
}

extension JSONWriter {
    /// Writes an event as an object.
    public mutating func event(_ event: BenchEvent) {
        object { json in
            json.key("t")
            json.integer(event.time.nanoseconds)
            json.string("source", event.source)
            json.string("kind", type(of: event.payload).kind)
            if event.caseNumber > 0 { json.integer("case", event.caseNumber) }
            event.payload.write(to: &json)
        }
    }
}
