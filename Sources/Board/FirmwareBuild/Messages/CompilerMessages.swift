/// The messages of a compiler (g++ or clang++) for several files, sorted by relevance: first each name that the host
/// core lacks, once; then the other errors without duplicates, the sketch's files first. Warnings are shown only
/// without errors.
///
/// Further errors that contain a refused name are consequences: they are only counted.
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
    private let sketch: String
    private let libraries: [String]
    private let names: RefusedNames?

    /// Parses the compiler's output for each file of the sketch in the folder `sketch`.
    ///
    /// - Parameter libraries: the folders of libraries; warnings in their headers are not shown.
    package init(_ outputs: [String], sketch: String = "", libraries: [String] = []) {
        self.init(outputs, sketch: sketch, libraries: libraries, names: nil)
    }

    /// - Parameter names: names that the host core lacks and no header of its declares.
    init(_ outputs: [String], sketch: String, libraries: [String] = [], names: RefusedNames?) {
        self.names = names
        self.sketch = sketch
        self.libraries = libraries
        for output in outputs { read(output) }
    }

    private mutating func read(_ output: String) {
        var context: [String] = []
        var hasContextEnded = true
        for line in output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) {
            if let severity = Self.severity(line) {
                let refusal = severity == .error ? names?.refusal(of: line) : nil
                messages.append(
                    Message(
                        severity: severity, refused: Self.refusedName(line) ?? refusal?.name, context: context,
                        lines: [refusal?.line ?? line]))
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

    /// The largest number of errors shown; further errors are only counted.
    private static let longestList = 10

    /// The errors, or the warnings when there are none; empty when there are no messages.
    package var text: String { errorCount == 0 ? warnings : errors }

    /// The number of different errors.
    package var errorCount: Int { refusals.count + otherErrors.count }

    /// The refused headers, with the files that include them.
    var refusedHeaders: [(header: String, includer: String)] {
        refusals.filter { $0.lines[0].contains("#error") }.compactMap { message in
            guard let header = message.refused, let include = message.context.first else { return nil }
            // "In file included from FILE:LINE:COLUMN," or "…:LINE:"
            let place = include.dropFirst("In file included from ".count)
            return (header, String(place.prefix { $0 != ":" }))
        }
    }

    /// The names that errors report as undeclared.
    var undeclaredNames: Set<String> {
        let endings = ["’ was not declared", "’ has not been declared", "’ does not name a type"]
        return Set(
            otherErrors.compactMap { message in
                let line = message.lines[0]
                guard let end = endings.lazy.compactMap({ line.firstRange(of: $0)?.lowerBound }).first,
                    let start = line[..<end].lastIndex(of: "‘")
                else { return nil }
                return String(line[line.index(after: start)..<end])
            })
    }

    /// The first message that refuses each name.
    private var refusals: [Message] {
        var names: Set<String> = []
        return messages.filter { message in message.refused.map { names.insert($0).inserted } ?? false }
    }

    private var otherErrors: [Message] {
        let errors = unique(.error)
        return errors.filter { isInSketch($0) } + errors.filter { !isInSketch($0) }
    }

    private func unique(_ severity: Severity) -> [Message] {
        var seen: Set<[String]> = []
        return messages.filter { $0.refused == nil && $0.severity == severity && seen.insert($0.lines).inserted }
    }

    private func isInSketch(_ message: Message) -> Bool {
        !sketch.isEmpty && message.lines[0].hasPrefix(sketch + "/")
    }

    private var errors: String {
        let names = Set(refusals.compactMap { $0.refused.map(Self.stem) })
        let independent = otherErrors.filter { names.isDisjoint(with: Self.words($0.lines[0])) }
        // For a refusal, shows the position in the sketch, not the line in the host core.
        var shown = refusals.map { ($0, $0.lines[0].contains("#error") ? 1 : Self.refusalLines) }
        shown += independent.map { ($0, Int.max) }
        var text = Self.text(shown.prefix(Self.longestList))
        let consequences = otherErrors.count - independent.count
        if consequences > 0 { text += Self.count(consequences) + " because of that\n" }
        if shown.count > Self.longestList { text += Self.count(shown.count - Self.longestList) + "\n" }
        return text
    }

    /// The warnings.
    package var warnings: String {
        let shown = unique(.warning).filter { message in
            !libraries.contains { message.lines[0].hasPrefix($0 + "/") }
        }
        return Self.text(shown.map { ($0, Int.max) }[...])
    }

    private static func text(_ messages: ArraySlice<(Message, Int)>) -> String {
        var lines: [String] = []
        var context: [String] = []
        for (message, count) in messages {
            if message.context != context { lines += message.context }
            context = message.context
            lines += message.lines.prefix(count)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func count(_ errors: Int) -> String { "\(errors) more error\(errors == 1 ? "" : "s")" }

    /// The name by which code refers to a refused header or function: `WiFi` of `WiFi.h`, `getScan` of
    /// `NimBLEDevice::getScan`.
    private static func stem(_ name: String) -> String {
        let last = name.fileName.split(separator: ":").last.map(String.init) ?? name
        return String(last.prefix { $0 != "." })
    }

    private static func words(_ line: String) -> Set<String> {
        Set(line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
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
            // The reason why a template is instantiated.
            || !line.hasPrefix(" ") && [":   required ", ":   recursively required "].contains { line.contains($0) }
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
