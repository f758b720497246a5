/// A point in time on a bench's clock: nanoseconds since the bench was created.
///
/// Pure state machines take it as an argument; only the executor reads a clock. It is virtual time on a virtual bench,
/// and the machine's monotonic clock on a served or hardware bench.
@frozen public struct MonotonicInstant: InstantProtocol, Hashable, Sendable, Codable {
    /// Nanoseconds since the bench was created; never negative.
    public var nanoseconds: Int64

    /// The instant `nanoseconds` after the bench was created.
    @inlinable public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The creation of the bench.
    public static let zero = MonotonicInstant(nanoseconds: 0)

    /// The instant `duration` later; saturates instead of overflowing.
    @inlinable public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }

    /// The time from this instant to `other`.
    @inlinable public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    /// Orders by time.
    @inlinable public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The earliest instant that is not `nil`, if any. Avoids an array, since state machines call it before each step.
    @inlinable public static func earliest(
        _ first: MonotonicInstant?, _ second: MonotonicInstant?, _ third: MonotonicInstant? = nil,
        _ fourth: MonotonicInstant? = nil
    ) -> MonotonicInstant? {
        var earliest = first
        if let second, second.nanoseconds < earliest?.nanoseconds ?? .max { earliest = second }
        if let third, third.nanoseconds < earliest?.nanoseconds ?? .max { earliest = third }
        if let fourth, fourth.nanoseconds < earliest?.nanoseconds ?? .max { earliest = fourth }
        return earliest
    }

    /// Encodes as a bare number of nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }

    /// Decodes from a bare number of nanoseconds.
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero; saturates at the range of `Int64`.
    @inlinable public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}
