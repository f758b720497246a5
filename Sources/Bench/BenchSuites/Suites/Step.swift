import Bench
public import BenchModel

/// One step of a suite.
public struct Step: Sendable {
    /// The step's action.
    var action: any SuiteStep
    /// Where the step is in the file.
    public var position: SourcePosition
    /// The step's line in the file, for reports.
    public var source: String
    /// The abilities that the bench needs for the centrals of the step.
    var centralNeeds: Set<BenchAbility> = []
    /// The centrals that the step mentions, by their index in ``Suite/centrals``.
    var centrals: Set<Int> = []
    /// The time limit of the step; `nil`: none.
    package var limit: Duration?

    /// The abilities the bench needs.
    var needs: Set<BenchAbility> {
        let error = (action as? any FallibleStep)?.expectedError
        let errorNeeds = error?.needs(ofSecurity: action is PairStep || action is EncryptStep) ?? []
        return action.needs.union(centralNeeds).union(errorNeeds)
    }

    /// The word that the step begins with.
    public var word: String { type(of: action).kind.word }

    /// The action, if it is of this type.
    package func action<Action>(as type: Action.Type) -> Action? { action as? Action }

    /// True if the state established by `before` is no longer valid after the step.
    package var changesState: Bool { action.changesState }

    /// The step and its inner steps, at any depth.
    var withInnerSteps: [Step] { [self] + action.innerSteps.flatMap(\.withInnerSteps) }
}

/// The parameters and behaviour of one kind of step. Each kind is in a file in `Steps/` and in
/// ``StepKind/all``.
protocol SuiteStep: Sendable {
    /// The kind.
    static var kind: StepKind { get }

    /// The abilities the bench needs.
    var needs: Set<BenchAbility> { get }

    /// True if the step changes links, subscriptions or the board's power, so that the state established by `before` is
    /// no longer valid.
    var changesState: Bool { get }

    /// The inner steps. If there are any, the runner carries them out and does not call ``run(_:)``.
    var innerSteps: [Step] { get }

    /// Carries the step out.
    func run(_ run: StepRun) async throws(BenchFailure)
}

extension SuiteStep {
    /// By default a step needs no ability.
    var needs: Set<BenchAbility> { [] }

    /// By default a step has no inner steps.
    var innerSteps: [Step] { [] }
}

/// A step that can be expected to fail, by an `expect: {error: …}` after it.
protocol FallibleStep: SuiteStep {
    /// The expected error.
    var expectedError: ExpectedError? { get set }

    /// The words for the step's possible errors; `nil` if the step, as written, cannot fail.
    var errorWords: [(word: String, error: ExpectedError)]? { get }
}

/// A kind of step: its syntax, its reader and its documentation.
package struct StepKind: Sendable {
    /// The argument a word may have.
    enum Argument: Sendable {
        case optional
        case required
    }

    /// The first word of steps of this kind.
    package let word: String
    /// The argument of the word.
    let argument: Argument
    /// The kind's rows in the reference.
    let reference: [StepReference]
    /// Steps of this kind, as written in a suite.
    package let examples: [String]
    /// An invalid step of this kind.
    package let mistake: String
    /// True if `within` is the time limit of the whole step; other kinds read `within` themselves.
    var isLimited = false
    /// Reads the step; `nil` if an error was reported.
    let read: @Sendable (StepText) -> (any SuiteStep)?

    /// Every kind, in the order of the reference.
    package static let all: [StepKind] = [
        PowerStep.kind, ResetStep.kind, RebootStep.kind, ButtonStep.kind, SetStep.kind, UARTStep.kind, I2CStep.kind,
        ScanStep.kind, ConnectStep.kind, DisconnectStep.kind, PairStep.kind, EncryptStep.kind, ForgetStep.kind,
        SubscribeStep.kind,
        UnsubscribeStep.kind, WriteStep.kind, ReadStep.kind, MTUStep.kind, DiscoverStep.kind, ATTStep.kind,
        FaultStep.kind, RadioStep.kind, SimulateStep.kind, AdvanceStep.kind, RepeatStep.kind, ConsoleStep.kind,
        ExpectStep.kind,
    ]

    static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })
}

/// A row of the reference of steps, in Markdown: a step's syntax and effect.
struct StepReference: Sendable {
    /// The step's syntax.
    let form: String
    /// The step's effect.
    let text: String

    init(_ form: String, _ text: String) {
        self.form = form
        self.text = text
    }
}

/// The reference of the steps of suites.
public enum SuiteReference {
    /// The table of all steps, in Markdown, as in `Firmware/SUITES.md`.
    public static var steps: String {
        let rows = StepKind.all.flatMap { kind in
            kind.word == ExpectStep.kind.word
                ? ExpectationKind.all.flatMap(\.reference) + [PartExpectation.reference] + kind.reference
                : kind.reference
        }
        let lines = rows.map { "| \($0.form) | " + ($0.text.isEmpty ? "|" : "\($0.text) |") }
        return (["| step | |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    /// The table of the keys of `pair`, in Markdown, as in `Firmware/SUITES.md`.
    public static var pairing: String {
        let lines = PairStep.keys.map { "| \($0.form) | \($0.text) |" }
        return (["| `pair` | |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    /// The table of the conditions on values, in Markdown, as in `Firmware/SUITES.md`.
    public static var conditions: String {
        let lines = MatchTemplate.reference.map { "| \($0.form) | \($0.text) |" }
        return (["| condition | |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    /// The whole reference.
    public static var text: String { steps + "\n" + conditions + "\n" + pairing }
}
