/// A regular expression that is searched in many lines.
///
/// Most lines are refused by a cheap search for text that every match has in it; only the others are searched with the
/// expression.
public struct LinePattern {
    /// The expression as it was given.
    public let text: String
    private let regex: Regex<AnyRegexOutput>
    /// Texts of which every match contains one; empty if none are known.
    private let literals: [[UInt8]]
    private let isLiteral: Bool

    /// Compiles `text`, in the syntax of Swift's `Regex`.
    ///
    /// - Throws: the compiler's error.
    public init(_ text: String) throws {
        self.text = text
        regex = try Regex(text)
        let (literals, isWhole) = Self.literals(of: text)
        self.literals = literals.map { Array($0.utf8) }
        isLiteral = isWhole
    }

    /// Whether the expression matches a part of `line`.
    public func matches(_ line: String) -> Bool {
        if !literals.isEmpty, !literals.contains(where: { Self.contains($0, in: line) }) { return false }
        return isLiteral || line.firstMatch(of: regex) != nil
    }

    private static let special: Set<Character> = [
        "\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}",
    ]

    /// The longest run of plain ASCII that every match of each alternative of `pattern` contains, and whether they are
    /// the whole expression. Conservative: an expression with groups of options or extended syntax has none, nor one with
    /// an alternative that has none.
    package static func literals(of pattern: String) -> (texts: [String], isWhole: Bool) {
        guard pattern.allSatisfy({ $0.isASCII && !$0.isNewline }), !pattern.contains("(?") else { return ([], false) }
        if !pattern.contains(where: special.contains) { return (pattern.isEmpty ? [] : [pattern], !pattern.isEmpty) }
        var (alternatives, best, run) = ([String](), "", "")
        var depth = 0
        var characters = Array(pattern)[...]
        func end(_ run: inout String, _ best: inout String) {
            if run.count > best.count { best = run }
            run = ""
        }
        while let character = characters.popFirst() {
            if !special.contains(character) {
                // A quantifier makes the last character optional or repeated.
                if let next = characters.first, "?*+{".contains(next) {
                    end(&run, &best)
                } else if depth == 0 {
                    run.append(character)
                }
                continue
            }
            end(&run, &best)
            switch character {
            case "\\":
                guard let escaped = characters.popFirst() else { return ([], false) }
                let isPlain = special.contains(escaped) || " /-:".contains(escaped)
                // \Q, \x41, \p{…} and the like have a syntax of their own.
                if !isPlain, !"dDwWsSbBtnr".contains(escaped) { return ([], false) }
                if isPlain, depth == 0, characters.first.map({ !"?*+{".contains($0) }) ?? true { run.append(escaped) }
            case "[":
                guard let length = classLength(characters) else { return ([], false) }
                characters = characters.dropFirst(length)
            case "{":
                guard let close = characters.firstIndex(of: "}") else { return ([], false) }
                characters = characters[(close + 1)...]
            case "(": depth += 1
            case ")": depth -= 1
            case "|" where depth == 0:
                alternatives.append(best)
                best = ""
            default: break
            }
        }
        end(&run, &best)
        alternatives.append(best)
        return (alternatives.contains("") ? [] : alternatives, false)
    }

    /// The length of a character class behind its bracket; `nil` for nested ones.
    private static func classLength(_ characters: ArraySlice<Character>) -> Int? {
        var isEscaped = false
        for (index, character) in characters.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "[" {
                return nil
            } else if character == "]", index > 0 {
                return index + 1
            }
        }
        return nil
    }

    private static func contains(_ part: [UInt8], in line: String) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            guard let first = part.first, bytes.count >= part.count else { return false }
            for start in 0...(bytes.count - part.count) where bytes[start] == first {
                if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
            }
            return false
        }
    }
}
