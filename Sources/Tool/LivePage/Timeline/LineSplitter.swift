/// Finds the lines of a file that comes in pieces. A pure state machine; a line of any length takes bounded memory.
package struct LineSplitter {
    /// The longest line in bytes that can be an event.
    package static let maximumLength = 1 << 20

    /// A line that is not complete: its beginning, and how many bytes there are.
    package private(set) var beginning: [UInt8] = []
    package private(set) var length = 0

    /// Adds the lines that end in the next piece.
    package mutating func split(_ piece: [UInt8], into index: inout TimelineIndex) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if length == 0 {
                index.append(piece[start..<end])
            } else {
                keep(piece[start..<end])
                if length > Self.maximumLength {
                    index.appendBroken(length: length)
                } else {
                    index.append(beginning[...])
                }
                beginning.removeAll(keepingCapacity: length <= piece.count)
                length = 0
            }
            start = end + 1
        }
        keep(piece[start...])
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        beginning += bytes.prefix(Self.maximumLength - beginning.count)
        length += bytes.count
    }
}
