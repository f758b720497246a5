/// Measures time on any clock.
struct Stopwatch {
    private let reading: () -> Duration

    init(_ clock: any Clock<Duration>) {
        reading = Self.start(clock)
    }

    private static func start<Source: Clock>(_ clock: Source) -> () -> Duration where Source.Duration == Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    /// The time since its creation.
    var elapsed: Duration { reading() }
}
