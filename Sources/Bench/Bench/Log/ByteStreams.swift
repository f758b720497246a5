import BenchModel
import MonotonicTime

/// What the far ends of the boards' UARTs have received and no expectation has taken.
struct ByteStreams {
    /// Of more bytes the rest is not kept: a board that floods its UART must not exhaust memory.
    private static let capacity = 16 << 20

    private struct Key: Hashable {
        var board: Int
        var port: Int
    }

    private struct Stream {
        var bytes: [UInt8] = []
        var start = 0
        var lostCount = 0
        var lastTime = MonotonicInstant.zero
    }

    private var streams: [Key: Stream] = [:]

    mutating func append(_ received: UARTBytesReceived, of board: Int, at time: MonotonicInstant) {
        let key = Key(board: board, port: received.port)
        var stream = streams.removeValue(forKey: key) ?? Stream()
        if stream.bytes.count - stream.start + received.bytes.count > Self.capacity {
            stream.lostCount += received.bytes.count
        } else {
            stream.bytes += received.bytes
        }
        stream.lastTime = time
        streams[key] = stream
    }

    /// Compares what has come with `pattern`, and takes it.
    mutating func outcome(of pattern: StreamPattern, port: Int, board: Int) -> EventLog.Outcome? {
        guard !pattern.isComplete else { return .matched }
        let key = Key(board: board, port: port)
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        defer { streams[key] = stream }
        let taken = pattern.take(stream.bytes[stream.start...])
        stream.start += taken.used
        if stream.start == stream.bytes.count {
            stream.bytes.removeAll(keepingCapacity: true)
            stream.start = 0
        }
        if let difference = taken.difference { return .mismatch(difference, stream.lastTime) }
        if !pattern.isComplete, stream.lostCount > 0 {
            return .mismatch(
                "\(pattern.progress); \(stream.lostCount) bytes more were not kept: no expectation took them",
                stream.lastTime)
        }
        return pattern.isComplete ? .matched : nil
    }

    /// The next bytes that no expectation has taken, as failures show them.
    func rest(port: Int, board: Int) -> [UInt8] {
        guard let stream = streams[Key(board: board, port: port)] else { return [] }
        return Array(stream.bytes[stream.start...].prefix(32))
    }

    /// Forgets what a board has sent; `nil`: all boards.
    mutating func clear(board: Int? = nil) {
        streams = streams.filter { board != nil && $0.key.board != board }
    }
}
