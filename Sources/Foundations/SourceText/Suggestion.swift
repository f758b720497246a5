/// Finds the word that a mistyped one was probably meant to be.
public enum Suggestion {
    /// Longer words are not compared: the comparison takes the product of both lengths.
    private static let maximumLength = 256

    /// The one of `candidates` that `word` is most likely a typing mistake of: at most a third of the longer word
    /// differs. Upper and lower case count as the same letter; of equally near ones the first is taken.
    ///
    /// - Returns: `nil` when none is near enough, or when `word` is one of them.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            if candidate == word { return nil }
            let scalars = Array(candidate.lowercased().unicodeScalars)
            let limit = min(max(1, max(wanted.count, scalars.count) / 3), best.map { $0.distance - 1 } ?? .max)
            // Of words of one or two letters every other is near.
            guard limit >= 0, scalars.count <= maximumLength, scalars == wanted || max(wanted.count, scalars.count) > 2,
                let distance = distance(wanted, scalars, atMost: limit)
            else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// ` (did you mean 'write'?)` for a message about an unknown word, or nothing.
    public static func text(for word: String, in candidates: some Sequence<String>) -> String {
        nearest(to: word, in: candidates).map { " (did you mean '\($0)'?)" } ?? ""
    }

    /// How many letters have to be changed, inserted, removed or exchanged with their neighbour to make one word of the
    /// other: the optimal string alignment distance of Damerau and Levenshtein. `nil` above `limit`.
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
