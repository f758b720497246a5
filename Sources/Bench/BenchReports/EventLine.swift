public import BenchModel
import MonotonicTime

/// Events as lines for people.
public enum EventLine {
    /// Time in seconds, source, what happened.
    public static func text(_ event: BenchEvent) -> String {
        let microseconds = String(event.time.nanoseconds / 1000 % 1_000_000 + 1_000_000).dropFirst()
        let seconds = "\(event.time.nanoseconds / 1_000_000_000).\(microseconds) s"
        return "\(padLeft(seconds, to: 14))  \(pad(event.source, to: 8))  \(event.payload.text)"
    }

    private static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
