package import BLEDescriptions

/// A store's rows at one moment, to be read without holding up those who add some.
package struct TimelineSnapshot: Sendable {
    /// See ``TimelineStore/id(_:)``.
    package let id: String
    package let index: TimelineIndex
    /// Say what values mean.
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
        /// Where it begins in the file.
        package var offset: Int64
        /// Without its ending; of a line that is longer than a block's ``TimelineBlock/maximumLength`` the beginning.
        package var bytes: ArraySlice<UInt8>
        package var isCut = false
    }

    /// The lines of a block.
    ///
    /// - Throws: `Errno` when the file cannot be read. Lines that are not there any more, since somebody truncates the
    ///   file, are empty.
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
