package import MonotonicTime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day of a clock's instants, in the machine's time zone.
package struct HostTime: Sendable {
    /// Nanoseconds since the Unix epoch at the clock's zero.
    private let origin: Int64

    /// Of a clock that shows `now` at `wallTime`, in microseconds since the Unix epoch.
    package init(wallTime: Int64, now: MonotonicInstant) {
        origin = wallTime * 1000 - now.nanoseconds
    }

    /// Nanoseconds since midnight.
    package func ofDay(_ instant: MonotonicInstant) -> Int64 {
        let nanoseconds = origin + instant.nanoseconds
        let local = nanoseconds / 1_000_000_000 + Int64(broken(instant).tm_gmtoff)
        return local % 86_400 * 1_000_000_000 + nanoseconds % 1_000_000_000
    }

    /// `2026-11-23 06:24:25`, or with other marks between the numbers.
    package func text(_ instant: MonotonicInstant, marks: (String, String, String) = ("-", " ", ":")) -> String {
        func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let time = broken(instant)
        let day = [String(time.tm_year + 1900), padded(time.tm_mon + 1), padded(time.tm_mday)]
        let hour = [padded(time.tm_hour), padded(time.tm_min), padded(time.tm_sec)]
        return day.joined(separator: marks.0) + marks.1 + hour.joined(separator: marks.2)
    }

    private func broken(_ instant: MonotonicInstant) -> tm {
        var seconds = time_t((origin + instant.nanoseconds) / 1_000_000_000)
        var time = tm()
        localtime_r(&seconds, &time)
        return time
    }
}
