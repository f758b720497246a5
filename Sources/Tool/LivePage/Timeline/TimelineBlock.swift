/// What the index keeps of a row: two bytes.
package struct RowTag: Sendable {
    /// The number of the kind's name; 0: a broken line.
    package var kind: UInt8
    /// The number of the source's name.
    package var source: UInt8
}

/// Consecutive lines of a timeline's file, and what is known about them without reading it.
package struct TimelineBlock: Sendable {
    /// At most so many lines are one block …
    package static let maximumRows = 256
    /// … and no line is added to as many bytes.
    package static let maximumLength = 256 << 10

    /// The number of the first row, from 0.
    package var firstRow: Int
    /// Where the first line begins in the file.
    package var offset: Int64
    /// How many bytes the lines have, with their endings.
    package var length = 0
    package var tags: [RowTag] = []
    /// The earliest and latest time of an event, in nanoseconds; the other way round without one.
    package var times: (earliest: Int64, latest: Int64) = (.max, .min)

    package var endRow: Int { firstRow + tags.count }
    package var end: Int64 { offset + Int64(length) }
    package var isFull: Bool { tags.count >= Self.maximumRows || length >= Self.maximumLength }
}
