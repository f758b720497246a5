/// Measures time on a clock of any kind.
struct Stopwatch {
    private let reading: () -> Duration

    init(_ clock: any Clock<Duration>) {
        reading = Self.start(clock)
    }

    private static func start<Source: Clock>(_ clock: Source) -> () -> Duration where Source.Duration == Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    /// The time since it was made.
    var elapsed: Duration { reading() }
}
