/// Finds texts in a regular expression, at least one of which is in every match.
///
/// Conservative: an expression in a syntax that is not understood here has none.
package struct PatternLiterals {
    /// A part of a match: one known character, or an unknown part.
    private enum Part {
        case character(Character)
        case unknown
    }

    /// The maximum number of alternatives searched separately: each needs a search per line.
    private static let maximumAlternatives = 8
    private static let special: Set<Character> = [
        "\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}",
    ]

    private var rest: ArraySlice<Character>

    /// The longest run of plain ASCII in each alternative of `pattern`; empty if one has none.
    package static func texts(of pattern: String) -> [String] {
        guard pattern.allSatisfy({ $0.isASCII && !$0.isNewline }) else { return [] }
        var parser = PatternLiterals(rest: Array(pattern)[...])
        guard let alternatives = parser.alternatives(), parser.rest.isEmpty else { return [] }
        var texts: [String] = []
        for alternative in alternatives {
            let text = longestRun(in: alternative)
            if text.isEmpty { return [] }
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    private static func longestRun(in parts: [Part]) -> String {
        var (best, run) = ("", "")
        for part in parts {
            if case .character(let character) = part { run.append(character) } else { run = "" }
            if run.count > best.count { best = run }
        }
        return best
    }

    /// The alternatives up to the end of the group or of the expression; `nil` for a syntax that is not understood.
    private mutating func alternatives() -> [[Part]]? {
        var (complete, current): ([[Part]], [[Part]]) = ([], [[]])
        while let character = rest.first, character != ")" {
            rest.removeFirst()
            if character == "|" {
                complete += current
                current = [[]]
                continue
            }
            guard let atom = atom(character) else { return nil }
            let isRepeated = rest.first.map { "?*+{".contains($0) } ?? false
            if isRepeated || complete.count + current.count * atom.count > Self.maximumAlternatives {
                current = current.map { $0 + [.unknown] }
            } else {
                current = current.flatMap { before in atom.map { before + $0 } }
            }
        }
        return complete + current
    }

    /// One character, class, group or quantifier that begins with `character`.
    private mutating func atom(_ character: Character) -> [[Part]]? {
        switch character {
        case "(":
            guard rest.first != "?", let inner = alternatives(), rest.popFirst() == ")" else { return nil }
            return inner
        case "\\":
            guard let escaped = rest.popFirst() else { return nil }
            if Self.special.contains(escaped) || " /-:".contains(escaped) { return [[.character(escaped)]] }
            // \Q, \x41, \p{…}, \1 and the like have a special syntax.
            return "dDwWsSbBtnr".contains(escaped) ? [[.unknown]] : nil
        case "[": return skipClass() ? [[.unknown]] : nil
        case "{":
            guard let close = rest.firstIndex(of: "}") else { return nil }
            rest = rest[(close + 1)...]
            return [[.unknown]]
        case let other: return [[Self.special.contains(other) ? .unknown : .character(other)]]
        }
    }

    /// Skips a character class behind its bracket; `false` for nested ones and for one without an end.
    private mutating func skipClass() -> Bool {
        var isFirst = true
        while let character = rest.popFirst() {
            switch character {
            case "\\": rest = rest.dropFirst()
            case "[": return false
            case "]" where !isFirst: return true
            default: break
            }
            isFirst = false
        }
        return false
    }
}
