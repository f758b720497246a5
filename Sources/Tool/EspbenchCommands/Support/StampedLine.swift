internal import Console
import MonotonicTime

/// The format of a board's console lines.
enum StampedLine {
    /// `line`, preceded by the seconds since `origin`.
    static func text(_ line: ConsoleLine, since origin: MonotonicInstant) -> String {
        let milliseconds = origin.duration(to: line.time).wholeNanoseconds / 1_000_000
        let seconds = String(milliseconds / 1000)
        let padding = String(repeating: " ", count: max(0, 5 - seconds.count))
        return "[\(padding)\(seconds).\(String(milliseconds % 1000 + 1000).dropFirst())] \(line.text)"
    }

    /// `text`, which says more about the line before it, in its column.
    static func continuation(_ text: String) -> String { "            " + text }
}
