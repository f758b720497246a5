/// The level of a log line, most severe first, by the letters of ESP-IDF.
public enum LogLevel: Int, Comparable, CaseIterable, Sendable {
    case error = 1
    case warning, info, debug, verbose

    /// The level of a letter, e.g. `E`; `nil` for any other.
    public init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "E"): self = .error
        case UInt8(ascii: "W"): self = .warning
        case UInt8(ascii: "I"): self = .info
        case UInt8(ascii: "D"): self = .debug
        case UInt8(ascii: "V"): self = .verbose
        default: return nil
        }
    }

    /// Its letter.
    public var letter: String {
        switch self {
        case .error: "E"
        case .warning: "W"
        case .info: "I"
        case .debug: "D"
        case .verbose: "V"
        }
    }

    /// Whether `left` is more severe.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
