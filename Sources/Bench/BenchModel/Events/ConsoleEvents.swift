import Console

/// A line of the board's console.
public struct ConsoleLineReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "console"
    /// The line, without its ending.
    public var text: String

    /// A line.
    public init(_ text: String) { self.text = text }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { text = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", text) }

    /// False for empty lines, the boot log, and ESP-IDF's dump of registers (`PC      : 0x400d1234  PS      :
    /// 0x00060030 …`).
    public var isContext: Bool {
        // Bytes are compared first, because comparing characters is slower and consoles have many lines.
        guard let first = text.utf8.first else { return false }
        if first <= 0x20 || first >= 0x80, text.allSatisfy(\.isWhitespace) { return false }
        if text.utf8.dropFirst(8).starts(with: ": 0x".utf8) { return false }
        if first == UInt8(ascii: "C"), text.hasPrefix("Core "), text.hasSuffix(" register dump:") { return false }
        return !BootLog.contains(text)
    }

    /// The firmware may flood its console.
    public var isFrequent: Bool { true }
}

/// A line of the board's console that had begun and not ended when a case failed, such as a prompt.
public struct ConsoleLineUnfinished: EventPayload {
    /// The name of this kind of event.
    public static let kind = "unfinished"
    /// The beginning of the line.
    public var beginning: String

    /// The beginning of a line.
    public init(_ beginning: String) { self.beginning = beginning }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { beginning = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", beginning) }

    /// The event as one line of text.
    public var text: String { "\(beginning) (the line has not ended)" }
}

/// A line typed into the board's console.
public struct ConsoleLineSent: EventPayload {
    /// The name of this kind of event.
    public static let kind = "input"
    /// The line, without its ending.
    public var line: String

    /// A line.
    public init(_ line: String) { self.line = line }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { line = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", line) }

    /// The event as one line of text.
    public var text: String { "typed: \(line)" }
}
