import MonotonicTime

extension QuantityCourse {
    /// The first time after `time` at which the value reaches `threshold` from below, or falls below it; `nil`: never.
    /// So a part with a state can follow a ramp or a recording.
    func nextCrossing(of threshold: Double, after time: MonotonicInstant) -> MonotonicInstant? {
        let course: [(time: MonotonicInstant, value: Double)]
        switch self {
        case .constant: return nil
        case .ramp(let from, let to, let start, let duration):
            guard duration > .zero else { return nil }
            course = [(start, from), (start.advanced(by: duration), to)]
        case .recording(let points, let start):
            let first = Self.firstPoint(of: points, after: start.duration(to: time))
            course = points.dropFirst(max(first - 1, 0)).map { (start.advanced(by: $0.after), $0.value) }
        }
        for (before, after) in zip(course, course.dropFirst()) where after.time > time {
            let isAbove = after.value >= threshold
            guard (before.value >= threshold) != isAbove else { continue }
            let share = (threshold - before.value) / (after.value - before.value)
            guard share.isFinite else { continue }
            let span = Double(before.time.duration(to: after.time).wholeNanoseconds)
            var crossing = before.time.advanced(by: .nanoseconds(Int64((share * span).rounded(.up))))
            // At a falling edge the value still equals the threshold there.
            var step: Int64 = 1
            while crossing < after.time, (value(at: crossing) >= threshold) != isAbove {
                crossing = min(crossing.advanced(by: .nanoseconds(step)), after.time)
                step *= 2
            }
            if crossing > time { return crossing }
        }
        return nil
    }
}
