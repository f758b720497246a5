import Console
package import MonotonicTime
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A log of a long-running program: lines with the time of day, in files that rotate; `espbench log FILE --follow`
/// shows them.
public final class TimedLog: Sendable {
    private let file: Mutex<LogFile>
    private let wallTime: @Sendable () -> Int64

    /// Opens the log at `path` for appending.
    ///
    /// - Parameters:
    ///   - what: the program that starts now, e.g. `logger 1.0`; the first line of each file names it.
    ///   - wallTime: microseconds since the Unix epoch.
    ///   - onFault: is called with the first fault of writing, at once; nothing is written after it.
    /// - Throws: ``LogFile/Fault`` when the file cannot be created, or another program writes it.
    public init(
        _ path: String, _ rotation: LogRotation = .standard, of what: String,
        wallTime: @escaping @Sendable () -> Int64, onFault: @escaping @Sendable (LogFile.Fault) -> Void = { _ in }
    ) throws(LogFile.Fault) {
        self.wallTime = wallTime
        let heading = "--- \(what) runs from \(Self.stamp(wallTime())) on"
        file = Mutex(try LogFile(path, rotation, heading: heading, onFault: onFault))
    }

    /// Appends the lines of `text`; escapes control characters from a board or a peer, since a terminal will show the
    /// lines.
    public func write(_ text: String) { write(text.utf8) }

    /// Appends the lines of `text`.
    public func write(_ text: some Collection<UInt8>) {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return }
        let stamp = Array((Self.stamp(wallTime()) + " ").utf8)
        var bytes: [UInt8] = []
        for line in lines { bytes += stamp + VisibleText.visible(Array(line)) + [0x0A] }
        file.withLock { [bytes] in $0.write(bytes) }
    }

    /// Why the log is incomplete; `nil`: it is complete.
    public var fault: LogFile.Fault? { file.withLock { $0.fault } }

    /// `2026-11-23 06:24:25.123`, in the machine's time zone.
    private static func stamp(_ wallTime: Int64) -> String {
        HostTime(wallTime: wallTime, now: .zero).stamp(.zero)
    }
}

/// The time of day of a clock's instants, in the machine's time zone.
package struct HostTime: Sendable {
    /// Nanoseconds since the Unix epoch at the clock's zero.
    private let origin: Int64

    /// A clock that shows `now` at `wallTime`, in microseconds since the Unix epoch.
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

    /// `2026-11-23 06:24:25.123`
    package func stamp(_ instant: MonotonicInstant) -> String {
        let milliseconds = (origin + instant.nanoseconds) / 1_000_000 % 1000
        return text(instant) + "." + String(1000 + milliseconds).dropFirst()
    }

    private func broken(_ instant: MonotonicInstant) -> tm {
        var seconds = time_t((origin + instant.nanoseconds) / 1_000_000_000)
        var time = tm()
        localtime_r(&seconds, &time)
        return time
    }
}
