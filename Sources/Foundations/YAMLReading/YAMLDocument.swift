public import SourceText
import Yams

/// The contents of a YAML file.
package enum YAMLDocument {
    case root(Node)
    /// Empty, except for comments.
    case empty
    /// The text is not valid YAML, which was reported.
    case faulty
}

extension DiagnosticCollector {
    /// Parses a file's text; reports where it is not valid YAML.
    package func document(_ text: String) -> YAMLDocument {
        // Some Windows editors put a byte order mark at the beginning of UTF-8.
        let yaml = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        let start = SourcePosition(line: 1, column: 1)
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return .empty }
            if case .scalar(let scalar) = root, scalar.string.isEmpty, scalar.style == .plain { return .empty }
            return .root(root)
        } catch let error as YamlError {
            let fault = YAMLFault(error, yaml.lines)
            report(fault.message, at: fault.position ?? start)
        } catch {
            report("\(error)", at: start)
        }
        return .faulty
    }
}

extension String {
    /// The lines as YAML counts them, for any kind of line ending.
    package var lines: [Substring] { split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}

// Used by readers of files to report positions.
@_exported public import SourceText

/// All faults of a YAML file, found before the file is used.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One fault.
    public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
        /// The name of the file, as given.
        public var file: String
        /// The position of the fault.
        public var position: SourcePosition
        /// The fault, with the expected and the received text; one line.
        public var message: String

        /// `file:line:column: message`, as compilers write it.
        public var description: String { "\(file):\(position.line):\(position.column): \(message)" }
    }

    /// The faults in the order of the file; never empty.
    public let diagnostics: [Diagnostic]

    package init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// One line per fault.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// A syntax error in YAML: in plain words, with a remedy if one is known, and its position.
struct YAMLFault {
    let message: String
    let position: SourcePosition?

    init(_ error: YamlError, _ lines: [Substring]) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let place = Place(problem: problem, mark, context, lines)
            let words = "not YAML: \(problem)" + (context.map { ", \($0.text)" } ?? "")
            (message, position) = place.remedy ?? (words, place.position)
        case .duplicatedKeysInMapping(let duplicates, let context):
            // Numbers are no keys, but arguments of an expression.
            let remedy =
                duplicates.contains { Double($0) != nil } ? " (within {…}, a text with a comma needs quotes)" : ""
            message = "key\(duplicates.count == 1 ? "" : "s") given twice: \(duplicates.sorted().list)\(remedy)"
            position = SourcePosition(context.mark)
        case .reader(let problem, _, _, _):
            position =
                lines.enumerated().lazy.compactMap { number, line in
                    line.unicodeScalars.firstIndex { $0.properties.generalCategory == .control && $0 != "\t" }.map {
                        SourcePosition(
                            line: number + 1, column: line.unicodeScalars.distance(from: line.startIndex, to: $0) + 1)
                    }
                }.first
            message = "not YAML: \(problem)"
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            message = "not YAML: \(error)"
            position = nil
        }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}

/// The position at which the parser stopped, and the construct that it was parsing.
private struct Place {
    private static let needsQuotes = "a text with ': ' in it needs quotes"
    private static let isIndentedOtherwise =
        "this line begins in another column than the key or list item that it follows"

    let problem: String
    let position: SourcePosition
    /// The beginning of the construct that the parser was parsing.
    private let start: SourcePosition
    private let context: String
    private let lines: [Substring]

    init(problem: String, _ mark: Mark, _ context: YamlError.Context?, _ lines: [Substring]) {
        self.problem = problem
        position = SourcePosition(mark)
        start = context.map { SourcePosition($0.mark) } ?? position
        self.context = context?.text ?? ""
        self.lines = lines
    }

    private func line(_ position: SourcePosition) -> Substring {
        lines.indices.contains(position.line - 1) ? lines[position.line - 1] : ""
    }

    private func text(before position: SourcePosition) -> String {
        String(String.UnicodeScalarView(line(position).unicodeScalars.prefix(max(0, position.column - 1))))
    }

    private func character(at position: SourcePosition) -> Character? {
        line(position).unicodeScalars.dropFirst(max(0, position.column - 1)).first.map { Character($0) }
    }

    /// The remedy and its position; `nil` if the parser's own message is better.
    var remedy: (text: String, position: SourcePosition)? {
        switch problem {
        case let problem where problem.contains("cannot start any token"):
            character(at: position).map { character in
                character == "\t"
                    ? ("a tab is not allowed for indentation: use spaces", position)
                    : ("a text that begins with '\(character)' needs quotes", position)
            }
        case "mapping values are not allowed in this context":
            (text(before: position).contains(": ") ? Self.needsQuotes : Self.isIndentedOtherwise, position)
        case "mapping keys are not allowed in this context": ("a text that begins with '? ' needs quotes", position)
        case let problem where problem.hasPrefix("did not find expected ','"): (unended, position)
        case "did not find expected key", "did not find expected '-' indicator":
            text(before: position).allSatisfy { $0 == " " }
                ? (Self.isIndentedOtherwise, position)
                : ("a text with quotes or braces in it needs quotes around all of it", position)
        case "could not find expected ':'": ("expected 'key: value' or 'key:' in this line", start)
        case "found unexpected end of stream": ("the quote that begins here is not closed", start)
        case "found unknown escape character":
            (#"in double quotes '\' begins an escape: use single quotes, or write '\\'"#, position)
        case "did not find expected node content": ("expected a value here", position)
        case "block sequence entries are not allowed in this context":
            ("a list begins in a line of its own, below its key", position)
        case "found undefined alias": ("a text that begins with '*' needs quotes", position)
        case _ where context.hasSuffix("anchor"): ("a text that begins with '&' needs quotes", start)
        case _ where context.hasSuffix("alias"): ("a text that begins with '*' needs quotes", start)
        case _ where context.hasSuffix("tag"): ("a text that begins with '!' needs quotes", start)
        case let problem where problem.hasPrefix("Maximum nesting level"):
            ("more than 1,000 lists and mappings begin here, each in the one before", position)
        case "but found another document": ("expected one document in the file, got a second one after '---'", position)
        default: nil
        }
    }

    /// The fault in a list or mapping in brackets.
    private var unended: String {
        let isList = context.hasSuffix("sequence")
        let (open, close) = isList ? ("[", "]") : ("{", "}")
        if position.line == start.line {
            switch character(at: position) {
            case ":": return Self.needsQuotes
            case isList ? "}" : "]": break
            default: return "expected ',' or '\(close)' here: a text with brackets, quotes or commas in it needs quotes"
            }
        }
        let comment = line(start).contains(" #") ? ", and '#' after a space begins a comment" : ""
        return "the '\(open)' of line \(start.line), column \(start.column), is not closed\(comment)"
    }
}
