/// The messages of a compiler (g++ or clang++) for several files, sorted by relevance: first names that the host core
/// does not have, each once, then other errors, then warnings, without duplicates.
///
/// When a name is refused the other errors are only counted, since most result from it.
package struct CompilerMessages {
    /// The end of every message in which the host core refuses a name.
    static let refusal = " is not in espbench's host core"

    private enum Severity {
        case error
        case warning
    }

    /// A message with the excerpts and notes below it.
    private struct Message {
        var severity: Severity
        /// The refused name, if the message is a refusal.
        var refused: String?
        /// Context lines: "In file included from …", "In function …".
        var context: [String]
        var lines: [String]
    }

    private var messages: [Message] = []

    /// Parses the compiler's output for each file.
    package init(_ outputs: [String]) {
        for output in outputs { read(output) }
    }

    private mutating func read(_ output: String) {
        var context: [String] = []
        var hasContextEnded = true
        for line in output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) {
            if let severity = Self.severity(line) {
                messages.append(
                    Message(severity: severity, refused: Self.refusedName(line), context: context, lines: [line]))
                hasContextEnded = true
            } else if Self.isContext(line) {
                if hasContextEnded { context = [] }
                hasContextEnded = false
                context.append(line)
            } else if Self.isSummary(line) || line.isEmpty || messages.isEmpty {
                continue
            } else {
                messages[messages.count - 1].lines.append(line)
            }
        }
    }

    /// The messages in order; empty when there are none.
    package var text: String {
        var seen: Set<[String]> = []
        var names: Set<String> = []
        let refusals = messages.filter { message in message.refused.map { names.insert($0).inserted } ?? false }
        let others = messages.filter { $0.refused == nil && seen.insert($0.lines).inserted }
        let errors = others.filter { $0.severity == .error }
        let warnings = others.filter { $0.severity == .warning }
        var lines: [String] = []
        var context: [String] = []
        func add(_ message: Message, _ count: Int) {
            if message.context != context { lines += message.context }
            context = message.context
            lines += message.lines.prefix(count)
        }
        // For a refusal show the position in the sketch, not the line in the host core.
        for message in refusals { add(message, message.lines[0].contains("#error") ? 1 : Self.refusalLines) }
        if refusals.isEmpty {
            for message in errors { add(message, .max) }
        } else if !errors.isEmpty {
            lines.append("\(errors.count) more error\(errors.count == 1 ? "" : "s"), which may come of that")
        }
        for message in warnings { add(message, .max) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The message, the sketch's line, and the mark below it.
    private static let refusalLines = 3

    private static func severity(_ line: String) -> Severity? {
        guard !line.hasPrefix(" ") else { return nil }
        if line.contains(": error: ") || line.contains(": fatal error: ") { return .error }
        return line.contains(": warning: ") ? .warning : nil
    }

    private static func isContext(_ line: String) -> Bool {
        line.hasPrefix("In file included from ") || line.hasPrefix("                 from ")
            || [": In ", ": At global scope"].contains { line.contains($0) } && line.hasSuffix(":")
    }

    /// "compilation terminated.", "3 errors generated."
    private static func isSummary(_ line: String) -> Bool {
        line == "compilation terminated." || line.hasSuffix(" generated.")
    }

    /// `WiFi.h` of `#error "WiFi.h is not in …"`, `NimBLEScan` of `… is unavailable: NimBLEScan is not in …`.
    private static func refusedName(_ line: String) -> String? {
        guard let end = line.firstRange(of: refusal)?.lowerBound else { return nil }
        return line[..<end].split { $0 == " " || $0 == "\"" }.last.map(String.init)
    }
}
