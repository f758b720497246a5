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

    /// Reads the head of a line, before which colour sequences may stand; `nil` if it is no line of a log.
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
