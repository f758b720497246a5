/// What a board printed while nobody had its serial line: the last lines, up to a limit.
public struct LineBacklog: Sendable, Equatable {
    /// The most bytes that are kept; 0: none.
    public let limit: Int
    /// What is kept, oldest first.
    public private(set) var bytes: [UInt8] = []
    /// How many older bytes are gone.
    public private(set) var droppedCount = 0

    /// An empty one.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Appends what the board prints. Over the limit the oldest lines go, whole where they end; of a single line that is
    /// longer than the limit, its beginning.
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
