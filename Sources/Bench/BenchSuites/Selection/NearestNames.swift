import BenchModel

extension NamePattern {
    /// The names of cases that the user may have meant by a pattern that matches none, the nearest first, at most
    /// `limit`: those that match in other upper and lower case, differ in at most a third of their letters, or contain
    /// what was given.
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

    /// How far `name` is from the pattern's text; `nil`: too far.
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
