/// Output of a board while no client had its serial line: the last lines, up to a limit.
public struct LineBacklog: Sendable, Equatable {
    /// The most buffered bytes; 0: none.
    public let limit: Int
    /// The buffered bytes, oldest first.
    public private(set) var bytes: [UInt8] = []
    /// The number of dropped bytes.
    public private(set) var droppedCount = 0

    /// An empty backlog.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Appends output. Beyond the limit the oldest whole lines are dropped; of a single line longer than the limit, its
    /// beginning.
    public mutating func append(_ new: [UInt8]) {
        bytes.append(contentsOf: new)
        guard bytes.count > limit else { return }
        let excess = bytes.count - limit
        let lineEnd = bytes[(excess - 1)...].firstIndex(of: 0x0A)
        let count = lineEnd.map { $0 + 1 < bytes.count ? $0 + 1 : excess } ?? excess
        bytes.removeFirst(count)
        droppedCount += count
    }
}
