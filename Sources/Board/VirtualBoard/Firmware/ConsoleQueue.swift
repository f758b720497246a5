import MonotonicTime

/// What a sketch has printed and its UART has not sent yet.
///
/// Bytes that follow each other on the line without a gap are one piece, so that lines printed in one go cost one event.
struct ConsoleQueue {
    private struct Piece {
        var bytes: [UInt8]
        /// When the last of them has left.
        var end: MonotonicInstant
    }

    /// The longest piece: a line's worth, so that no line waits for many others.
    private static let pieceLimit = 128

    private var pieces: [Piece] = []
    private var first = 0

    /// Appends bytes that go over the line from `start` to `end`.
    mutating func append(_ bytes: ArraySlice<UInt8>, from start: MonotonicInstant, to end: MonotonicInstant) {
        if first < pieces.count, let last = pieces.last, last.end == start,
            last.bytes.count + bytes.count <= Self.pieceLimit
        {
            pieces[pieces.count - 1].bytes.append(contentsOf: bytes)
            pieces[pieces.count - 1].end = end
        } else {
            pieces.append(Piece(bytes: Array(bytes), end: end))
        }
    }

    /// When the next piece has left.
    var nextDeadline: MonotonicInstant? { first < pieces.count ? pieces[first].end : nil }

    /// The next piece, if it has left by `now`.
    mutating func popDue(at now: MonotonicInstant) -> [UInt8]? {
        guard first < pieces.count, pieces[first].end <= now else { return nil }
        defer {
            first += 1
            if first == pieces.count { removeAll() }
        }
        return pieces[first].bytes
    }

    /// All pieces, due or not.
    mutating func takeAll() -> [[UInt8]] {
        defer { removeAll() }
        return pieces[first...].map(\.bytes)
    }

    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: true)
        first = 0
    }
}
