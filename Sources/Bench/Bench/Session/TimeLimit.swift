import BenchModel

/// How long something may take on a bench: the time that a suite gives it, and more on a bench that is slower.
struct TimeLimit: Sendable, CustomStringConvertible {
    /// The time on the bench.
    let duration: Duration
    private let given: Duration
    private let factor: Double

    /// The time `given` by a suite, lengthened by the bench's factor.
    init(_ given: Duration, _ factor: Double = 1) {
        self.given = given
        self.factor = factor
        duration = factor > 1 ? given * factor : given
    }

    /// `within 3 s (3 × 1 s)`
    var description: String {
        guard factor > 1 else { return "within \(given.brief)" }
        let factor = factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        return "within \(duration.brief) (\(factor) × \(given.brief))"
    }
}
