import BenchModel
import MonotonicTime

/// A part of a suite that runs on a bench of its own: a case, or some instances of its matrix.
///
/// What happens in a unit follows from the suite, the seed of the run and the unit, and from nothing that runs before or
/// beside it. So units can run in any order and several at a time, and a case that is selected alone does what it does in
/// the whole suite.
struct SuiteUnit: Sendable {
    /// The most instances of a unit that go on from each other's state.
    static let capacity = 4096
    /// About as many units are made of a matrix whose instances all begin afresh.
    private static let freshUnits = 1024

    /// What of the case runs.
    let plan: CasePlan
    /// The positions in the plan's instances that are the unit's; never empty.
    let positions: Range<Int>
    /// Which of the case's units it is, selected or not.
    let number: Int

    /// Whether it is the first of its case that runs.
    var isFirst: Bool { positions.lowerBound == 0 }

    /// Whether it is the last of its case that runs.
    var isLast: Bool { positions.upperBound == plan.instances.count }

    /// The seed of its bench.
    func seed(_ suite: Suite, run: RunInformation) -> UInt64 {
        let name = suite.cases[plan.index].name.source
        let ofSuite = SeededRandom(seed: run.seed).fork("suite \(suite.name)")
        var random = ofSuite.fork("case \(name)").fork("unit \(number)")
        return random.next()
    }

    /// The units of what is to run of `suite`, in order.
    static func units(of suite: Suite, _ plan: SuitePlan) -> [SuiteUnit] {
        plan.cases.flatMap { casePlan in
            let size = size(suite, suite.cases[casePlan.index])
            var units: [SuiteUnit] = []
            var position = 0
            while position < casePlan.instances.count {
                let number = casePlan.instances[position] / size
                var end = position + 1
                while end < casePlan.instances.count, casePlan.instances[end] / size == number { end += 1 }
                units.append(SuiteUnit(plan: casePlan, positions: position..<end, number: number))
                position = end
            }
            return units
        }
    }

    /// How many instances of a case share a bench. It depends on the suite alone: what else is selected, and how many
    /// units run at a time, must not matter.
    private static func size(_ suite: Suite, _ suiteCase: SuiteCase) -> Int {
        let startsAfresh = (suiteCase.steps + suite.after).contains(where: \.changesState)
        return startsAfresh ? (suiteCase.matrix.count + freshUnits - 1) / freshUnits : capacity
    }
}
