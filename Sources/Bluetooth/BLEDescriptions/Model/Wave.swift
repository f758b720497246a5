import MonotonicTime

/// The course of a simulated value over time.
public enum Wave: Hashable, Sendable {
    /// A constant.
    case constant(DescribedContent)
    /// A sine wave between two numbers with this period; begins in the middle, rising.
    case sine(ClosedRange<Double>, period: Duration)
    /// From the lowest number to the highest in `period`, repeated.
    case ramp(ClosedRange<Double>, period: Duration)
    /// The values one after the other, each for `step`, repeated.
    case steps([DescribedContent], step: Duration)
    /// Random numbers in a range, a new one after each `step`; the same sequence for the same seed.
    case noise(ClosedRange<Double>, step: Duration)
    /// A text with `%` in place of a number that begins at 1 and grows by 1 after each `step`.
    case count(String, step: Duration)
}

extension Wave {
    /// The value at `elapsed` after the beginning of the simulation; `random` is the generator of this value.
    package func content(at elapsed: Duration, _ random: SeededRandom) -> DescribedContent {
        switch self {
        case .constant(let content): content
        case .sine(let range, let period):
            .real(range.middle + range.half * Math.sine(2 * .pi * elapsed.phase(in: period)))
        case .ramp(let range, let period): .real(range.lowerBound + 2 * range.half * elapsed.phase(in: period))
        case .steps(let contents, let step):
            contents.isEmpty ? .integer(0) : contents[Int(elapsed.steps(of: step) % Int64(contents.count))]
        case .noise(let range, let step):
            .real(range.lowerBound + 2 * range.half * Self.fraction(random, elapsed.steps(of: step)))
        case .count(let text, let step): .text(text.replacing("%", with: "\(elapsed.steps(of: step) + 1)"))
        }
    }

    /// A random number from 0 to below 1, for the step with this number.
    private static func fraction(_ random: SeededRandom, _ step: Int64) -> Double {
        var generator = random
        var mixed = SeededRandom(seed: generator.next() ^ UInt64(bitPattern: step))
        return Double(mixed.next() >> 11) / Double(1 << 53 as UInt64)
    }
}

extension Wave {
    /// All numbers of the wave, or the bounds of its range.
    var numbers: [Double] {
        switch self {
        case .constant(let content): content.numbers
        case .sine(let range, _), .ramp(let range, _), .noise(let range, _): [range.lowerBound, range.upperBound]
        case .steps(let contents, _): contents.flatMap(\.numbers)
        case .count: []
        }
    }
}

extension DescribedContent {
    fileprivate var numbers: [Double] {
        if case .list(let elements) = self { elements.flatMap(\.numbers) } else { number.map { [$0] } ?? [] }
    }
}

extension ClosedRange<Double> {
    fileprivate var half: Double { (upperBound - lowerBound) / 2 }
    fileprivate var middle: Double { lowerBound + half }
}

extension Duration {
    /// The number of whole steps that have passed.
    fileprivate func steps(of step: Duration) -> Int64 { max(0, nanoseconds / Swift.max(1, step.nanoseconds)) }

    /// The part of the period that has passed, from 0 to below 1.
    fileprivate func phase(in period: Duration) -> Double {
        let length = Swift.max(1, period.nanoseconds)
        return Double(Swift.max(0, nanoseconds) % length) / Double(length)
    }

    private var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}

extension Wave: CustomStringConvertible {
    /// The form used in descriptions: `40.2`, `{sine: [20, 30], every: 60 s}`.
    public var description: String {
        switch self {
        case .constant(let content): content.description
        case .sine(let range, let period): "{sine: \(Self.text(range)), every: \(period)}"
        case .ramp(let range, let period): "{ramp: \(Self.text(range)), every: \(period)}"
        case .steps(let contents, let step):
            "{steps: [\(contents.map(\.description).joined(separator: ", "))], every: \(step)}"
        case .noise(let range, let step): "{noise: \(Self.text(range)), every: \(step)}"
        case .count(let text, let step): "{count: \(text), every: \(step)}"
        }
    }

    private static func text(_ range: ClosedRange<Double>) -> String {
        "[\(number: range.lowerBound), \(number: range.upperBound)]"
    }
}
