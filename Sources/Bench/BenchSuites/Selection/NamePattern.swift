import BenchModel

/// A pattern for the names of cases, as in shells: `*` matches any text, `?` one character, `[a-z]` one character of a
/// set, `[!a-z]` one not in the set; a backslash escapes the character after it.
///
/// Braces are ordinary characters, so that the name of a case with places for parameters, used as a pattern, matches
/// itself.
public struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Token: Hashable, Sendable {
        case byte(UInt8)
        case anyCharacter
        case anyText
        case set([ClosedRange<UInt32>], isNegated: Bool)
    }

    /// The pattern as the user wrote it.
    public let source: String
    private let tokens: [Token]
    /// The text that every match begins with, in UTF-8.
    private let prefix: [UInt8]

    /// Reads a pattern. Every text is valid: a `[` without `]` is an ordinary character.
    public init(_ source: String) {
        self.source = source
        tokens = Self.tokens(Array(source.unicodeScalars))
        prefix = tokens.prefix { $0.byte != nil }.compactMap(\.byte)
    }

    /// The pattern as the user wrote it.
    public var description: String { source }

    /// True if `name` equals the text that the user wrote, or matches the pattern.
    public func matches(_ name: String) -> Bool {
        matches(Array(name.utf8))
    }

    /// True if the UTF-8 text `name` equals the text that the user wrote, or matches the pattern.
    func matches(_ name: [UInt8]) -> Bool {
        name.elementsEqual(source.utf8) || matches(name, places: [])
    }

    /// True if the name of a case, with its places, matches the pattern, so that every instance is selected.
    ///
    /// A place such as `{a}` is matched by its own text and by `*`, but not by `?` or a set, since the length of its
    /// value is unknown.
    func matches(_ template: TextTemplate) -> Bool {
        template.source == source || matches(Array(template.source.utf8), places: template.places)
    }

    /// True if no text that begins with `beginning` can match.
    func excludes(beginning: [UInt8]) -> Bool {
        !zip(prefix, beginning).allSatisfy { $0 == $1 } && !zip(source.utf8, beginning).allSatisfy { $0 == $1 }
    }

    // MARK: Reading

    private static func tokens(_ scalars: [Unicode.Scalar]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case "*":
                if tokens.last != .anyText { tokens.append(.anyText) }
            case "?":
                tokens.append(.anyCharacter)
            case "[":
                if let (set, end) = set(scalars, after: index) {
                    tokens.append(set)
                    index = end
                } else {
                    tokens.append(.byte(UInt8(ascii: "[")))
                }
            case "\\" where index + 1 < scalars.count:
                index += 1
                tokens += UTF8.encode(scalars[index]).map { $0.map(Token.byte) } ?? []
            default:
                tokens += UTF8.encode(scalars[index]).map { $0.map(Token.byte) } ?? []
            }
            index += 1
        }
        return tokens
    }

    /// Reads a set that begins after the bracket at `start`; returns the set and the index of its closing bracket.
    private static func set(_ scalars: [Unicode.Scalar], after start: Int) -> (Token, Int)? {
        var index = start + 1
        let isNegated = index < scalars.count && ["!", "^"].contains(scalars[index])
        if isNegated { index += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        // A `]` in the first position is an ordinary character.
        let first = index
        while index < scalars.count, scalars[index] != "]" || index == first {
            let low = scalars[index].value
            if index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]" {
                let high = scalars[index + 2].value
                // As in fnmatch(3), a range that ends before it begins is empty.
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        guard index < scalars.count else { return nil }
        return (.set(ranges, isNegated: isNegated), index)
    }

    // MARK: Matching

    /// Matches from the left; after a mismatch, the last `*` takes one byte more.
    private func matches(_ name: [UInt8], places: [Range<Int>]) -> Bool {
        var (token, offset) = (0, 0)
        var retry: (token: Int, offset: Int)?
        while offset < name.count {
            if token < tokens.count {
                if tokens[token] == .anyText {
                    retry = (token, offset)
                    token += 1
                    continue
                }
                if let length = length(of: tokens[token], in: name, at: offset, places) {
                    token += 1
                    offset += length
                    continue
                }
            }
            guard let last = retry else { return false }
            retry = (last.token, last.offset + 1)
            (token, offset) = (last.token + 1, last.offset + 1)
        }
        return tokens[token...].allSatisfy { $0 == .anyText }
    }

    /// The number of bytes of `name` at `offset` that match `token`; `nil`: no match.
    private func length(of token: Token, in name: [UInt8], at offset: Int, _ places: [Range<Int>]) -> Int? {
        if case .byte(let byte) = token { return name[offset] == byte ? 1 : nil }
        // Rejects an offset in the middle of a character.
        guard !places.contains(where: { $0.contains(offset) }), name[offset] & 0xC0 != 0x80 else { return nil }
        var end = offset + 1
        while end < name.count, name[end] & 0xC0 == 0x80 { end += 1 }
        guard case .set(let ranges, let isNegated) = token else { return end - offset }
        guard let scalar = String(decoding: name[offset..<end], as: UTF8.self).unicodeScalars.first else { return nil }
        return ranges.contains { $0.contains(scalar.value) } != isNegated ? end - offset : nil
    }
}

extension NamePattern.Token {
    fileprivate var byte: UInt8? {
        if case .byte(let byte) = self { byte } else { nil }
    }
}

extension NamePattern {
    /// At most `limit` names of cases, the nearest first, that the user may have meant by a pattern without a match:
    /// names that match when case is ignored, differ in at most a third of their letters, or contain the given text.
    public func nearestNames(in suites: [Suite], limit: Int = 3) -> [String] {
        let wanted = source.lowercased()
        guard !wanted.isEmpty, wanted.utf8.count <= 256 else { return [] }
        let pattern = NamePattern(wanted)
        var ranks: [(rank: Int, order: Int, name: String)] = []
        for suiteCase in suites.flatMap(\.cases) {
            let rank = [suiteCase.name.source, suiteCase.firstInstanceName].compactMap { pattern.rank($0.lowercased()) }
                .min()
            if let rank { ranks.append((rank, ranks.count, suiteCase.name.source)) }
        }
        var seen: Set<String> = []
        return ranks.sorted { ($0.rank, $0.order) < ($1.rank, $1.order) }.map(\.name)
            .filter { seen.insert($0).inserted }.prefix(limit).map(\.self)
    }

    /// The distance of `name` from the pattern's text; `nil`: too far.
    private func rank(_ name: String) -> Int? {
        if matches(name) { return 0 }
        let (wanted, letters) = (Array(source.unicodeScalars), Array(name.unicodeScalars))
        let limit = max(1, max(wanted.count, letters.count) / 3)
        if let distance = Suggestion.distance(wanted, letters, atMost: limit) { return distance }
        return wanted.count >= 3 && name.contains(source) ? letters.count : nil
    }
}

extension SuiteCase {
    /// The name of the first instance.
    fileprivate var firstInstanceName: String {
        var context = EvaluationContext()
        matrix.fill(&context.parameters, at: 0)
        do {
            return try name.rendered(&context)
        } catch {
            return name.source
        }
    }
}
