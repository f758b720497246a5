/// How many rows a timeline has, and in which lanes: what the page gets with each change.
public struct TimelineCounts: Encodable, Sendable {
    /// A lane, or the name of a kind or source, with its rows.
    struct Rows: Encodable, Sendable {
        var name: String
        var rows: Int
    }

    /// See ``TimelineStore/id(_:)``.
    var id: String
    var rows: Int
    var lanes: [Rows]
    /// How many notes there are in a ``TimelineStatus``.
    var noteCount: Int
    /// Whether the last line says that nothing follows.
    var ended: Bool
    /// How many events could not be kept.
    var dropped: Int
    /// How many bytes of a stored file are indexed, and how many it has; not there for a run.
    var indexed: Int64?
    var size: Int64?
    /// A line of a stored file that has begun and not ended: its number from 1, its bytes so far, its beginning.
    var unfinished: Unfinished?

    struct Unfinished: Encodable, Sendable {
        var line: Int
        var bytes: Int
        var text: String
    }

    init(_ state: TimelineStore.State, id: String) {
        self.id = id
        rows = state.index.rowCount
        var lanes: [TimelineLane: Int] = [:]
        for (name, rows) in zip(state.index.kinds.names, state.index.kinds.rows) {
            lanes[TimelineLane(kind: name), default: 0] += rows
        }
        self.lanes = TimelineLane.allCases.map { Rows(name: $0.rawValue, rows: lanes[$0] ?? 0) }
        noteCount = state.notes.count
        ended = state.hasEnded
        dropped = state.dropped
        if let indexed = state.indexed { (self.indexed, size) = indexed }
        unfinished = state.unfinished.map { Unfinished(line: $0.row + 1, bytes: $0.length, text: $0.beginning) }
    }
}

/// A timeline as a whole: also what is to be said of it, and the names that a filter can have.
struct TimelineStatus: Encodable, Sendable {
    var counts: TimelineCounts
    var notes: [String]
    var kinds: [TimelineCounts.Rows]
    var sources: [TimelineCounts.Rows]

    init(_ state: TimelineStore.State, id: String) {
        counts = TimelineCounts(state, id: id)
        notes = state.notes
        kinds = Self.rows(state.index.kinds)
        sources = Self.rows(state.index.sources)
    }

    private static func rows(_ names: NameNumbers) -> [TimelineCounts.Rows] {
        zip(names.names, names.rows).filter { !$0.0.isEmpty }.map { TimelineCounts.Rows(name: $0, rows: $1) }
    }
}

extension TimelineStore {
    /// How many rows there are now.
    public var counts: TimelineCounts { withState { TimelineCounts($0, id: id($0)) } }

    /// What there is to say of the timeline now.
    var status: TimelineStatus { withState { TimelineStatus($0, id: id($0)) } }
}
