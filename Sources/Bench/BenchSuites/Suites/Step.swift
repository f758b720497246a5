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
    /// The abilities the bench needs for the centrals of the step.
    var centralNeeds: Set<BenchAbility> = []
    /// The centrals that the step speaks of, by their index in ``Suite/centrals``.
    var centrals: Set<Int> = []
    /// The longest time that the step may take; `nil`: as long as its operation takes.
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

    /// True if the state that `before` made no longer stands after the step.
    package var changesState: Bool { action.changesState }

    /// The step, and those inside it.
    var withInnerSteps: [Step] { [self] + action.innerSteps.flatMap(\.withInnerSteps) }
}

/// The parameters and behaviour of one kind of step. Each kind has a folder under `Steps/` and a line in
/// ``StepKind/all``.
protocol SuiteStep: Sendable {
    /// The kind.
    static var kind: StepKind { get }

    /// The abilities the bench needs.
    var needs: Set<BenchAbility> { get }

    /// True if links, subscriptions or the board's power differ after the step from before it, so that the state that
    /// `before` made no longer stands.
    var changesState: Bool { get }

    /// The steps inside it, which the runner carries out; with them ``run(_:)`` is not called.
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

/// A step that can be expected to fail: by `expect: {error: …}` after it.
protocol FallibleStep: SuiteStep {
    /// The error that must come.
    var expectedError: ExpectedError? { get set }

    /// The words for the errors that it can end with; `nil` when, as it is written, it cannot.
    var errorWords: [(word: String, error: ExpectedError)]? { get }
}

/// A kind of step: how it is written, read and documented.
package struct StepKind: Sendable {
    /// The argument a word may have.
    enum Argument: Sendable {
        case optional
        case required
    }

    /// The word that steps of this kind begin with.
    package let word: String
    /// The word's argument.
    let argument: Argument
    /// Its rows in the reference.
    let reference: [StepReference]
    /// Steps of this kind, as they stand in a suite.
    package let examples: [String]
    /// A step of this kind that is refused.
    package let mistake: String
    /// True if its `within` is the longest time that the whole step may take; other kinds read their own.
    var isLimited = false
    /// Reads the step; `nil` after a report.
    let read: @Sendable (StepText) -> (any SuiteStep)?

    /// Every kind, in the order of the reference.
    package static let all: [StepKind] = [
        PowerStep.kind, ResetStep.kind, RebootStep.kind, ButtonStep.kind, UARTStep.kind, ScanStep.kind,
        ConnectStep.kind,
        DisconnectStep.kind, PairStep.kind, EncryptStep.kind, ForgetStep.kind, SubscribeStep.kind,
        UnsubscribeStep.kind, WriteStep.kind, ReadStep.kind, MTUStep.kind, DiscoverStep.kind, ATTStep.kind,
        FaultStep.kind, RadioStep.kind, SimulateStep.kind, AdvanceStep.kind, RepeatStep.kind, ConsoleStep.kind,
        ExpectStep.kind,
    ]

    static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })
}

/// A row of the reference of steps: how a step is written, and what it does, in Markdown.
struct StepReference: Sendable {
    /// How it is written.
    let form: String
    /// A description of the effect.
    let text: String

    init(_ form: String, _ text: String) {
        self.form = form
        self.text = text
    }
}

/// The reference of the steps of suites.
public enum SuiteReference {
    /// The table of all steps, in Markdown, as it stands in `Firmware/SUITES.md`.
    public static var steps: String {
        let rows = StepKind.all.flatMap { kind in
            kind.word == ExpectStep.kind.word
                ? ExpectationKind.all.flatMap(\.reference) + kind.reference : kind.reference
        }
        let lines = rows.map { "| \($0.form) | " + ($0.text.isEmpty ? "|" : "\($0.text) |") }
        return (["| step | |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    /// The table of the keys of `pair`, in Markdown, as it stands there.
    public static var pairing: String {
        let lines = PairStep.keys.map { "| \($0.form) | \($0.text) |" }
        return (["| `pair` | |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    /// All of it.
    public static var text: String { steps + "\n" + pairing }
}
