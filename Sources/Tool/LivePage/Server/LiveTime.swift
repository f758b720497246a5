/// The clock of a server: how long it waits for browsers.
public struct LiveTime: Sendable {
    /// The time since some instant.
    public let now: @Sendable () -> Duration
    /// Waits.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// A time since it began, and how it is waited for.
    package init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The time of a clock.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }
}
