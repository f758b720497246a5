/// A place in a suite's file.
public struct SourcePosition: Hashable, Comparable, Sendable, Codable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Orders by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// The position `columns` further on the same line.
    package func advanced(by columns: Int) -> SourcePosition {
        SourcePosition(line: line, column: column + columns)
    }
}

extension String {
    /// The text with visible forms of characters that control a terminal, begin a line, change the direction of
    /// writing, or are invisible: `\x1b`, `\n`. Joiners remain, as words and emoji need them.
    public var printable: String {
        guard unicodeScalars.contains(where: Self.controls) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where !Self.controls(scalar): text.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x100: text += "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
            default: text += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }

    private static func controls(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension Duration {
    private static let nanosecondsPerUnit: [(unit: String, nanoseconds: Int64)] = [
        ("us", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("h", 3_600_000_000_000),
    ]

    /// A time in text form: a number and one of the units us, ms, s, min and h, e.g. `1.5 s`; `nil` for other texts.
    public init?(text: String) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let scale = Self.nanosecondsPerUnit.first(where: { $0.unit == unit })?.nanoseconds else { return nil }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }), parts.count <= 2 else { return nil }
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow, nanoseconds <= Int64.max / 2 else { return nil }
        guard parts.count == 2 else {
            self = .nanoseconds(nanoseconds)
            return
        }
        guard (1...9).contains(parts[1].count), let digits = Int128(parts[1]) else { return nil }
        let divisor = parts[1].reduce(1 as Int128) { power, _ in power * 10 }
        self = .nanoseconds(nanoseconds + Int64(digits * Int128(scale) / divisor))
    }
}

extension Double {
    /// With at most three decimals, and none that is 0.
    public var decimal: String {
        guard let thousandths = Int(exactly: (self * 1000).rounded()) else { return "\(self)" }
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        let sign = thousandths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = String(rest + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}

/// Suggests corrections for mistyped words.
public enum Suggestion {
    /// Longer words are not compared: the time grows with the product of both lengths.
    private static let maximumLength = 256

    /// The most likely correction of the mistyped `word` among `candidates`: at most a third of the longer word
    /// differs. Ignores case; of equally near candidates, the first one is used.
    ///
    /// - Returns: `nil` if no candidate is near enough, or `word` is one of them.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            if candidate == word { return nil }
            let scalars = Array(candidate.lowercased().unicodeScalars)
            let limit = min(max(1, max(wanted.count, scalars.count) / 3), best.map { $0.distance - 1 } ?? .max)
            // To a word of one or two letters, every other word would be near.
            guard limit >= 0, scalars.count <= maximumLength, scalars == wanted || max(wanted.count, scalars.count) > 2,
                let distance = distance(wanted, scalars, atMost: limit)
            else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// ` (did you mean 'write'?)` for a message about an unknown word; empty without a suggestion.
    public static func text(for word: String, in candidates: some Sequence<String>) -> String {
        nearest(to: word, in: candidates).map { " (did you mean '\($0)'?)" } ?? ""
    }

    /// The number of letters to be changed, inserted, removed or exchanged with their neighbour to turn one word into
    /// the other: the optimal string alignment distance of Damerau and Levenshtein. `nil` above `limit`.
    public static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                var cost = min(
                    last[column] + (left[row] == right[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            beforeLast = last
            last = current
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}

extension [String] {
    /// The elements as a list for messages.
    package var list: String { joined(separator: ", ") }
}
