import MonotonicTime

/// Output of a sketch that its UART has not sent yet.
///
/// Bytes without a gap between them are one chunk, so that lines printed together cost one event.
struct ConsoleQueue {
    private struct Piece {
        var bytes: [UInt8]
        /// The time at which the last byte has been sent.
        var end: MonotonicInstant
    }

    /// The longest chunk: about a line, so that a line is not delayed by many others.
    private static let pieceLimit = 128

    private var pieces: [Piece] = []
    private var first = 0

    /// Appends bytes that are transmitted from `start` to `end`.
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

    /// The time at which the next chunk has been sent.
    var nextDeadline: MonotonicInstant? { first < pieces.count ? pieces[first].end : nil }

    /// The next chunk, if it has been sent by `now`.
    mutating func popDue(at now: MonotonicInstant) -> [UInt8]? {
        guard first < pieces.count, pieces[first].end <= now else { return nil }
        defer {
            first += 1
            if first == pieces.count { removeAll() }
        }
        return pieces[first].bytes
    }

    /// All chunks, sent or not.
    mutating func removeAllChunks() -> [[UInt8]] {
        defer { removeAll() }
        return pieces[first...].map(\.bytes)
    }

    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: true)
        first = 0
    }
}
