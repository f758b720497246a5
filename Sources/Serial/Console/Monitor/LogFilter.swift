/// Chooses lines of a log by tag and level, in the syntax of ESP-IDF's monitor (`--print_filter`): items `TAG:LEVEL`,
/// separated by spaces, e.g. `wifi:W *:I`.
///
/// - LEVEL is `N` (nothing), `E`, `W`, `I`, `D`, `V` or `*` (everything): lines of that level and more severe ones are
///   shown; without `:LEVEL`, all.
/// - TAG `*` is every tag without an item; without it, such lines are hidden, and so are lines that are no log. These are
///   shown when `*` has any level but `N`.
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

    /// Whether everything is shown.
    public var showsAll: Bool { levels.isEmpty && others == LogLevel.verbose.rawValue }

    /// Whether a line with this head is shown; `nil`: a line that is no log.
    public func shows(_ line: LogLine?) -> Bool {
        guard let line else { return others > 0 }
        return line.level.rawValue <= limit(of: line.tag)
    }

    /// The level of `tag`, of an Arduino file also by its name without extension.
    private func limit(of tag: String) -> Int {
        if let level = levels[tag] { return level }
        if let dot = tag.lastIndex(of: "."), let level = levels[String(tag[..<dot])] { return level }
        return others
    }
}
