/// What the index keeps of a row: two bytes.
struct RowTag: Sendable {
    /// The number of the kind's name; 0: a broken line.
    var kind: UInt8
    /// The number of the source's name.
    var source: UInt8
}

/// Consecutive lines of a timeline's file, and what is known about them without reading it.
struct TimelineBlock: Sendable {
    /// At most so many lines are one block …
    static let maximumRows = 256
    /// … and no line is added to as many bytes.
    static let maximumLength = 256 << 10

    /// The number of the first row, from 0.
    var firstRow: Int
    /// Where the first line begins in the file.
    var offset: Int64
    /// How many bytes the lines have, with their endings.
    var length = 0
    var tags: [RowTag] = []
    /// The earliest and latest time of an event, in nanoseconds; the other way round without one.
    var times: (earliest: Int64, latest: Int64) = (.max, .min)

    var endRow: Int { firstRow + tags.count }
    var end: Int64 { offset + Int64(length) }
    var isFull: Bool { tags.count >= Self.maximumRows || length >= Self.maximumLength }
}
