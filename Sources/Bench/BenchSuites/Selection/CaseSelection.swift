import Bench

/// The selection of cases and instances to run.
///
/// Every given part narrows the selection: names, tags, and instances that failed before. A sample of the remaining
/// instances may be drawn. Without any part, all cases run.
public struct CaseSelection: Hashable, Sendable {
    /// One instance of a case, as named in a former run.
    public struct Instance: Hashable, Sendable {
        /// The suite's file, as ``Suite/file``.
        public var file: String
        /// The case's name, with its places for values.
        public var caseName: String
        /// The instance's name.
        public var name: String

        /// An instance.
        public init(file: String, caseName: String, name: String) {
            self.file = file
            self.caseName = caseName
            self.name = name
        }
    }

    /// All cases.
    public static let everything = CaseSelection()

    /// A case or instance runs if its name matches one of these; empty: any.
    public var names: [NamePattern]
    /// A case runs if it, or its suite, has one of these tags; empty: any.
    public var tags: [String]
    /// A case does not run if it, or its suite, has one of these tags.
    public var skippedTags: [String]
    /// Only these instances run; `nil`: any.
    public var instances: Set<Instance>?
    /// The maximum number of instances of each case; at least 1. `nil`: all.
    public var sampleSize: Int?

    /// A selection; by default all cases.
    public init(
        names: [NamePattern] = [], tags: [String] = [], skippedTags: [String] = [], instances: Set<Instance>? = nil,
        sampleSize: Int? = nil
    ) {
        self.names = names
        self.tags = tags
        self.skippedTags = skippedTags
        self.instances = instances
        self.sampleSize = sampleSize
    }

    /// Selects by a name: the name of a case as printed, the name of an instance, or a pattern.
    public init(name: String) {
        self.init(names: [NamePattern(name)])
    }

    /// Selects the cases and instances of `suite`; `seed` determines the samples.
    public func plan(_ suite: Suite, seed: UInt64) -> SuitePlan {
        var plan = SuitePlan()
        plan.isEavesdropping = suite.needs.contains(.eavesdropping)
        for (index, suiteCase) in suite.cases.enumerated() {
            var chosen = named(suiteCase)
            guard !chosen.isEmpty else { continue }
            plan.namedCases += 1
            guard hasWantedTags(suiteCase, suite) else { continue }
            plan.taggedCases += 1
            if let instances { chosen = Self.those(of: instances, in: suiteCase, suite.file, among: chosen) }
            guard !chosen.isEmpty else { continue }
            let total = chosen.count
            if let sampleSize { chosen = chosen.sample(sampleSize, seed: seed, of: suiteCase.name.source) }
            plan.cases.append(
                CasePlan(index: index, instances: chosen, sampledFrom: chosen.count < total ? total : nil))
        }
        return plan
    }

    // MARK: Names

    private func named(_ suiteCase: SuiteCase) -> InstanceIndices {
        let all = InstanceIndices(count: suiteCase.matrix.count)
        guard !names.isEmpty, !names.contains(where: { $0.matches(suiteCase.name) }) else { return all }
        let possible = names.filter { !$0.excludes(beginning: suiteCase.name.beginning) }
        guard !possible.isEmpty else { return InstanceIndices([]) }
        return suiteCase.instances(among: all) { name in possible.contains { $0.matches(name) } }
    }

    /// The ``names`` that match no case and no instance of `suites`, in order.
    public func unmatchedNames(in suites: [Suite]) -> [NamePattern] {
        names.filter { pattern in
            let alone = CaseSelection(names: [pattern])
            return !suites.contains { suite in suite.cases.contains { !alone.named($0).isEmpty } }
        }
    }

    // MARK: Tags

    private func hasWantedTags(_ suiteCase: SuiteCase, _ suite: Suite) -> Bool {
        let own = suite.tags(of: suiteCase)
        return (tags.isEmpty || tags.contains(where: own.contains)) && !skippedTags.contains(where: own.contains)
    }

    // MARK: Instances

    private static func those(
        of instances: Set<Instance>, in suiteCase: SuiteCase, _ file: String, among chosen: InstanceIndices
    ) -> InstanceIndices {
        let names = Set(
            instances.filter { $0.file == file && $0.caseName == suiteCase.name.source }.map { Array($0.name.utf8) })
        guard !names.isEmpty else { return InstanceIndices([]) }
        return suiteCase.instances(among: chosen, where: names.contains)
    }
}

extension SuiteCase {
    /// The names of instances that are among `wanted`.
    public func names(of indices: some Sequence<Int>, among wanted: Set<String>) -> [String] {
        var context = EvaluationContext()
        var text: [UInt8] = []
        return indices.compactMap { index in
            render(index, &context, into: &text)
            let name = String(decoding: text, as: UTF8.self)
            return wanted.contains(name) ? name : nil
        }
    }

    /// The instances among `indices` whose name, in UTF-8, is wanted.
    fileprivate func instances(
        among indices: InstanceIndices, where isWanted: ([UInt8]) -> Bool
    ) -> InstanceIndices {
        var context = EvaluationContext()
        var text: [UInt8] = []
        let wanted = indices.filter { index in
            render(index, &context, into: &text)
            return isWanted(text)
        }
        return wanted.count == indices.count ? indices : InstanceIndices(wanted)
    }

    /// Replaces `text` by an instance's name, or by the case's name if the instance's cannot be computed.
    private func render(_ index: Int, _ context: inout EvaluationContext, into text: inout [UInt8]) {
        matrix.fill(&context.parameters, at: index)
        text.removeAll(keepingCapacity: true)
        do throws(ExpressionError) {
            try name.render(&context, into: &text)
        } catch {
            text = Array(name.source.utf8)
        }
    }
}
