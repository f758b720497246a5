public import BenchModel
public import MonotonicTime

/// Events as lines for people.
public enum EventLine {
    /// Time in seconds, source, what happened.
    public static func text(_ event: BenchEvent) -> String {
        "\(padLeft(seconds(event.time), to: 12)) s  \(pad(event.source, to: 8))  \(event.payload.text)"
    }

    /// Seconds since `origin`, with microseconds; negative before it.
    public static func seconds(_ time: MonotonicInstant, since origin: MonotonicInstant = .zero) -> String {
        let nanoseconds = origin.duration(to: time).wholeNanoseconds
        let microseconds = nanoseconds.magnitude / 1000
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1_000_000).\(fraction)"
    }

    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - TextWidth.columns(text))) + text
    }

    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
    }
}
