/// Limits a client's bytes per second, by the caller's clock.
package struct FloodGate<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// The client sent more than the limit.
    package struct Overflow: Error, CustomStringConvertible {
        private let limit: Int
        private let count: Int

        fileprivate init(limit: Int, count: Int) {
            self.limit = limit
            self.count = count
        }

        /// One line.
        package var description: String { "expected at most \(limit) bytes in a second, got \(count)" }
    }

    private let bytesPerSecond: Int
    private var windowStart: Instant
    private var count = 0

    /// A gate that admits `bytesPerSecond`, from `now` on.
    package init(bytesPerSecond: Int, now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        windowStart = now
    }

    /// Counts bytes received at `now`.
    package mutating func admit(_ bytes: Int, now: Instant) throws(Overflow) {
        if windowStart.duration(to: now) >= .seconds(1) {
            windowStart = now
            count = 0
        }
        count += bytes
        guard count <= bytesPerSecond else { throw Overflow(limit: bytesPerSecond, count: count) }
    }
}
