/// Chooses lines of a log by tag and level, in the syntax of ESP-IDF's monitor (`--print_filter`): items `TAG:LEVEL`,
/// separated by spaces, e.g. `wifi:W *:I`.
///
/// - LEVEL is `N` (nothing), `E`, `W`, `I`, `D`, `V` or `*` (everything): lines of that level and more severe ones are
///   shown; without `:LEVEL`, all lines.
/// - TAG `*` applies to every tag that has no item. Without `*`, lines with such tags and lines that are not log lines
///   are hidden; the latter are shown when `*` has any level but `N`.
public struct LogFilter: Hashable, Sendable {
    /// A filter that cannot be read.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// One line.
        public let description: String
    }

    /// The filter as it was given.
    public let text: String
    /// The levels by tag; 0: none.
    private var levels: [String: Int] = [:]
    private var others = 0

    /// Shows everything.
    public static let all = LogFilter(others: LogLevel.verbose.rawValue)

    private init(others: Int) {
        text = ""
        self.others = others
    }

    /// Reads a filter; an empty one shows everything.
    public init(_ text: String) throws(Fault) {
        self.text = text
        let items = text.split(separator: " ")
        if items.isEmpty { others = LogLevel.verbose.rawValue }
        for item in items {
            let parts = item.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let tag = parts.first, !tag.isEmpty else {
                throw Fault(description: "filter '\(item)': expected TAG or TAG:LEVEL, e.g. wifi:W")
            }
            let level = try parts.count == 1 ? LogLevel.verbose.rawValue : Self.level(parts[1], item)
            if tag == "*" {
                others = level
            } else {
                levels[String(tag)] = level
            }
        }
    }

    private static func level(_ text: Substring, _ item: Substring) throws(Fault) -> Int {
        switch text.uppercased() {
        case "N": return 0
        case "*", "": return LogLevel.verbose.rawValue
        case let name:
            guard name.utf8.count == 1, let level = name.utf8.first.flatMap(LogLevel.init(letter:)) else {
                throw Fault(
                    description:
                        "filter '\(item)': expected a level of N (nothing), E, W, I, D, V or *, got '\(text)'")
            }
            return level.rawValue
        }
    }

    /// True if everything is shown.
    public var showsAll: Bool { levels.isEmpty && others == LogLevel.verbose.rawValue }

    /// True if a line with this head is shown; `nil`: a line that is not a log line.
    public func shows(_ line: LogLine?) -> Bool {
        guard let line else { return others > 0 }
        return line.level.rawValue <= limit(of: line.tag)
    }

    /// The level of `tag`; the tag of an Arduino file also matches without its extension.
    private func limit(of tag: String) -> Int {
        if let level = levels[tag] { return level }
        if let dot = tag.lastIndex(of: "."), let level = levels[String(tag[..<dot])] { return level }
        return others
    }
}

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

    /// True if `left` is more severe.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Level and tag of a line of a firmware's log, in one of two formats:
///
/// - ESP-IDF (`esp_log.h`): `I (1234) wifi: text`, also with the time of day in the parentheses;
/// - arduino-esp32 (`esp32-hal-log.h`): `[  1234][E][WiFiSTA.cpp:232] begin(): text`, whose tag is the file.
public struct LogLine: Hashable, Sendable {
    /// The level.
    public var level: LogLevel
    /// The tag.
    public var tag: String

    /// A log line's head.
    public init(level: LogLevel, tag: String) {
        self.level = level
        self.tag = tag
    }

    /// Parses the head of a line, which colour sequences may precede; `nil` if the line is not a log line.
    public init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.first == 0x1B, let length = VisibleText.colourLength(rest) { rest = rest.dropFirst(length) }
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "[") {
            self.init(arduino: rest)
        } else if let level = LogLevel(letter: first) {
            self.init(level: level, idf: rest.dropFirst())
        } else {
            return nil
        }
    }

    /// ` (1234) wifi: `
    private init?(level: LogLevel, idf rest: ArraySlice<UInt8>) {
        guard rest.starts(with: " (".utf8), let end = rest.firstIndex(of: UInt8(ascii: ")")),
            end > rest.startIndex + 2, rest[(end + 1)...].first == UInt8(ascii: " ")
        else { return nil }
        let text = rest[(end + 2)...]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
            text[(colon + 1)...].first == UInt8(ascii: " ")
        else { return nil }
        self.init(level: level, tag: String(decoding: text[..<colon], as: UTF8.self))
    }

    /// `[  1234][E][WiFiSTA.cpp:232] `
    private init?(arduino rest: ArraySlice<UInt8>) {
        let time = rest.dropFirst().prefix { $0 == UInt8(ascii: " ") || Self.isDigit($0) }
        guard let last = time.last, Self.isDigit(last) else { return nil }
        let head = rest[time.endIndex...]
        guard head.starts(with: "][".utf8), let level = head.dropFirst(2).first.flatMap(LogLevel.init(letter:)),
            head.dropFirst(3).starts(with: "][".utf8)
        else { return nil }
        let place = head.dropFirst(5).prefix { $0 != UInt8(ascii: "]") }
        guard place.endIndex < head.endIndex, let colon = place.lastIndex(of: UInt8(ascii: ":")),
            colon > place.startIndex
        else { return nil }
        self.init(level: level, tag: String(decoding: place[..<colon], as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
