public import MonotonicTime

/// The time stamps before a console's lines.
public struct LineStamps: Sendable {
    /// What they show.
    public enum Kind: String, CaseIterable, Sendable {
        /// Seconds since the monitor began, or since the board's last start that it saw: `[    1.234]`.
        case board
        /// The time of day: `[06:12:01.123]`.
        case host
        /// Seconds since the line before: `[+   0.015]`.
        case delta
        /// None.
        case none
    }

    /// The time of day of an instant, in nanoseconds since midnight.
    public typealias TimeOfDay = @Sendable (MonotonicInstant) -> Int64

    /// What they show.
    public var kind: Kind
    private var origin: MonotonicInstant
    private var former: MonotonicInstant
    private var isFirst = true
    private let timeOfDay: TimeOfDay

    /// Stamps of a monitor that began at `origin`.
    public init(_ kind: Kind, since origin: MonotonicInstant, timeOfDay: @escaping TimeOfDay = { _ in 0 }) {
        self.kind = kind
        self.origin = origin
        former = origin
        self.timeOfDay = timeOfDay
    }

    /// The stamp of the next line, with a space after it. `text` is the line: the ROM's first one at a start begins a new
    /// time, unless it is the monitor's first.
    public mutating func next(_ time: MonotonicInstant, text: [UInt8]) -> [UInt8] {
        if Self.isStart(text), !isFirst { origin = time }
        isFirst = false
        defer { former = time }
        switch kind {
        case .none: return []
        case .board: return Self.seconds(origin.duration(to: time).wholeNanoseconds, "[", width: 5)
        case .delta: return Self.seconds(former.duration(to: time).wholeNanoseconds, "[+", width: 4)
        case .host:
            let milliseconds = max(0, timeOfDay(time)) / 1_000_000
            let (hours, minutes) = (milliseconds / 3_600_000 % 24, milliseconds / 60_000 % 60)
            var stamp = [UInt8(ascii: "[")]
            for (value, mark) in [(hours, ":"), (minutes, ":"), (milliseconds / 1000 % 60, ".")] {
                stamp += Self.padded(value, 2)
                stamp += mark.utf8
            }
            return stamp + Self.padded(milliseconds % 1000, 3) + Array("] ".utf8)
        }
    }

    /// The time that a machine reads: seconds since the board's start or the monitor's.
    public func seconds(_ time: MonotonicInstant) -> Double {
        Double(origin.duration(to: time).wholeNanoseconds / 1_000_000) / 1000
    }

    /// The columns of a stamp.
    public var width: Int {
        switch kind {
        case .none: 0
        case .board, .delta: 12
        case .host: 15
        }
    }

    /// Whether the ROM begins its boot log so: `ets Jun  8 2016 00:22:57`, `ESP-ROM:esp32c3-api1-20210207`.
    private static func isStart(_ text: [UInt8]) -> Bool {
        switch text.first {
        case UInt8(ascii: "e"): text.starts(with: "ets Ju".utf8)
        case UInt8(ascii: "E"): text.starts(with: "ESP-ROM:".utf8)
        default: false
        }
    }

    private static func seconds(_ nanoseconds: Int64, _ opening: String, width: Int) -> [UInt8] {
        let milliseconds = max(0, nanoseconds) / 1_000_000
        var seconds = String(milliseconds / 1000).utf8.map(\.self)
        if seconds.count < width {
            seconds.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: width - seconds.count), at: 0)
        }
        return Array(opening.utf8) + seconds + [UInt8(ascii: ".")] + padded(milliseconds % 1000, 3) + Array("] ".utf8)
    }

    /// `value` with at least `digits` digits.
    private static func padded(_ value: Int64, _ digits: Int) -> [UInt8] {
        let text = Array(String(value).utf8)
        return Array(repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }
}
