/// How a simulated value changes with time.
public enum Wave: Hashable, Sendable {
    /// Always the same.
    case constant(DescribedContent)
    /// Between two numbers, back and forth in `period`; begins in the middle, rising.
    case sine(ClosedRange<Double>, period: Duration)
    /// From the lowest number to the highest in `period`, and again.
    case ramp(ClosedRange<Double>, period: Duration)
    /// One after the other, each for `step`, and again.
    case steps([DescribedContent], step: Duration)
    /// Random numbers in a range, another one after each `step`; the same for the same seed.
    case noise(ClosedRange<Double>, step: Duration)
    /// A text with `%` for a number from 1 on, which is one more after each `step`.
    case count(String, step: Duration)
}
