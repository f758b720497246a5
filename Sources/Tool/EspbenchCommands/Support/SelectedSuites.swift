import BenchModel
import BenchSuites

/// The suites of a run that have selected cases.
package struct SelectedSuites {
    /// The suites, in the given order; never empty.
    package let suites: [Suite]
    /// What of them runs, in the same order.
    package let plans: [SuitePlan]
    /// What the user should know, without its being an error.
    package let notes: [String]

    /// Selects among `suites`; `seed` is that of samples, and `isPart` whether there are other suites, in which a pattern
    /// may match.
    ///
    /// - Throws: ``CommandFailure`` when a pattern or a tag matches nothing, also if others match: what the user wanted to
    ///   run would silently not run. Also when nothing is left.
    package init(_ suites: [Suite], _ selection: CaseSelection, seed: UInt64, isPart: Bool = false)
        throws(CommandFailure)
    {
        if !isPart { try Self.checkNames(suites, selection) }
        notes = isPart ? [] : try Self.checkTags(suites, selection)
        let plans = suites.map { selection.plan($0, seed: seed) }
        let selected = suites.indices.filter { !plans[$0].cases.isEmpty }
        guard !selected.isEmpty else { throw Self.nothing(plans, selection) }
        self.suites = selected.map { suites[$0] }
        self.plans = selected.map { plans[$0] }
    }

    private static func checkNames(_ suites: [Suite], _ selection: CaseSelection) throws(CommandFailure) {
        let unmatched = selection.unmatchedNames(in: suites)
        guard !unmatched.isEmpty else { return }
        let place = suites.count == 1 ? suites[0].file : "\(suites.count) suites"
        let lines = unmatched.map { pattern in
            let nearest = pattern.nearestNames(in: suites).map { "'\($0)'" }
            let suggestion =
                switch nearest.count {
                case 0: ""
                case 1: " (did you mean \(nearest[0])?)"
                default:
                    " (did you mean \(nearest.dropLast().joined(separator: ", ")) or \(nearest[nearest.count - 1])?)"
                }
            return "no case in \(place) matches '\(pattern)'\(suggestion)"
        }
        throw CommandFailure(.nothingRan, lines.joined(separator: "\n"), code: "suite.noCase")
    }

    /// Returns notes on tags to skip that nothing has: nobody misses a case then, but the tag may be mistyped.
    private static func checkTags(
        _ suites: [Suite], _ selection: CaseSelection
    ) throws(CommandFailure) -> [String] {
        let known = Set(suites.flatMap { suite in suite.tags + suite.cases.flatMap(\.tags) }).sorted()
        func unknown(_ tag: String) -> String? {
            guard !known.contains(tag) else { return nil }
            let tags = known.isEmpty ? "; there are no tags" : ", only: \(known.joined(separator: ", "))"
            return "no case has the tag '\(tag)'\(Suggestion.text(for: tag, in: known))\(tags)"
        }
        let lines = selection.tags.compactMap(unknown)
        guard lines.isEmpty else {
            throw CommandFailure(.nothingRan, lines.joined(separator: "\n"), code: "suite.noTag")
        }
        return selection.skippedTags.compactMap(unknown).map { "--skip-tag: \($0)" }
    }

    private static func nothing(_ plans: [SuitePlan], _ selection: CaseSelection) -> CommandFailure {
        let named = plans.reduce(0) { $0 + $1.namedCases }
        let tagged = plans.reduce(0) { $0 + $1.taggedCases }
        var parts: [String] = []
        if !selection.names.isEmpty { parts.append("\(named) match --case") }
        if !selection.tags.isEmpty || !selection.skippedTags.isEmpty { parts.append("\(tagged) have the wanted tags") }
        if let instances = selection.instances { parts.append("none is one of the \(instances.count) that failed") }
        let reason = parts.isEmpty ? "" : ": of all cases, " + parts.joined(separator: ", of these ")
        return CommandFailure(.nothingRan, "no case is left to run\(reason)", code: "suite.noCase")
    }
}
