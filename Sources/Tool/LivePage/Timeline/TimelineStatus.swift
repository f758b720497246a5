package import BLEDescriptions

/// The numbers of a timeline's rows, in total and per lane; sent to the page with each change.
public struct TimelineCounts: Encodable, Sendable {
    /// A lane, a kind or a source, with its number of rows.
    package struct Rows: Encodable, Sendable {
        package var name: String
        package var rows: Int
    }

    /// See ``TimelineStore/id(_:)``.
    package var id: String
    package var rows: Int
    package var lanes: [Rows]
    /// The number of notes in a ``TimelineStatus``.
    package var noteCount: Int
    /// True if the last line marks the end of the timeline.
    package var ended: Bool
    /// The number of events that could not be kept.
    package var dropped: Int
    /// The number of indexed bytes of a stored file, and the file's size; absent for a run.
    package var indexed: Int64?
    package var size: Int64?
    /// An unfinished line of a stored file: its number counted from 1, its number of bytes so far, and its beginning.
    package var unfinished: Unfinished?

    package struct Unfinished: Encodable, Sendable {
        package var line: Int
        package var bytes: Int
        package var text: String
    }

    package init(_ state: TimelineStore.State, id: String) {
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

/// A timeline as a whole, with remarks, and the names that a filter can have.
package struct TimelineStatus: Encodable, Sendable {
    package var counts: TimelineCounts
    package var notes: [String]
    package var kinds: [TimelineCounts.Rows]
    package var sources: [TimelineCounts.Rows]

    package init(_ state: TimelineStore.State, id: String) {
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
    /// The current numbers of rows.
    public var counts: TimelineCounts { withState { TimelineCounts($0, id: id($0)) } }

    /// The current status of the timeline.
    package var status: TimelineStatus { withState { TimelineStatus($0, id: id($0)) } }
}

/// A store's rows at one moment, which can be read without blocking writers.
package struct TimelineSnapshot: Sendable {
    /// See ``TimelineStore/id(_:)``.
    package let id: String
    package let index: TimelineIndex
    /// The descriptions that explain values.
    package let descriptions: [PeripheralDescription]
    private let file: LineFile?

    package init(_ store: TimelineStore) {
        descriptions = store.descriptions
        (id, index, file) = store.withState { (store.id($0), $0.index, $0.file) }
    }

    /// One line of a block.
    package struct Line {
        package var row: Int
        package var tag: RowTag
        /// The offset of the line in the file.
        package var offset: Int64
        /// The line without its ending; for a line longer than ``TimelineBlock/maximumLength``, only its beginning.
        package var bytes: ArraySlice<UInt8>
        package var isCut = false
    }

    /// The lines of a block.
    ///
    /// - Throws: `Errno` when the file cannot be read. Lines that no longer exist, because the file was truncated, are
    ///   empty.
    package func lines(of block: TimelineBlock) throws -> [Line] {
        let limit = 2 * TimelineBlock.maximumLength
        let bytes = try file?.read(at: block.offset, count: min(block.length, limit)) ?? []
        var start = bytes.startIndex
        return block.tags.indices.map { index in
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            defer { start = end.map { $0 + 1 } ?? bytes.endIndex }
            return Line(
                row: block.firstRow + index, tag: block.tags[index], offset: block.offset + Int64(start),
                bytes: bytes[start..<(end ?? bytes.endIndex)], isCut: end == nil)
        }
    }
}
