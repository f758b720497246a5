import Bench
import YAMLReading

/// `repeat`: runs steps several times.
package struct RepeatStep: SuiteStep {
    static let kind = StepKind(
        word: "repeat", argument: .required,
        reference: [
            StepReference(
                "`repeat: {times: 15, steps: [{connect: …}, {disconnect: stranger}]}`",
                """
                repeats the steps, 1 to 10,000 times, nested blocks at most 100,000 times; a failure names the \
                repetition
                """)
        ], examples: ["repeat: {times: 15, steps: [advance: 1 s]}"],
        mistake: "repeat: {times: 0, steps: [reset]}", read: RepeatStep.read)

    /// The number of repetitions.
    var times: Expression
    /// The repeated steps.
    package var steps: [Step]

    /// The valid numbers of repetitions.
    static let range: ClosedRange<Int64> = 1...10_000
    /// The maximum number of runs of the innermost of nested blocks.
    static let limitOfNested = 100_000

    var innerSteps: [Step] { steps }

    var changesState: Bool { steps.contains(where: \.changesState) }

    /// Empty: the runner runs the inner steps, so that each can fail on its own.
    func run(_ run: StepRun) async throws(BenchFailure) {}

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        guard let fields = text.fields(of: "'repeat'", ["times", "steps"]) else { return nil }
        let times = fields.required("times", of: "'repeat'", text.diagnostics)
            .flatMap { text.reader.bounded($0, "'times'", range) }
        let outer = text.reader.repetitions
        if let node = fields["times"], let constant = times?.constant, range.contains(constant) {
            // Expressions that depend on parameters are checked when they are run.
            text.reader.repetitions = min(outer * Int(constant), limitOfNested + 1)
            if outer <= limitOfNested, text.reader.repetitions > limitOfNested {
                text.diagnostics.report(
                    "expected nested blocks to repeat at most \(limitOfNested) times, got \(outer) · \(constant)",
                    at: node)
            }
        }
        defer { text.reader.repetitions = outer }
        let steps = fields.required("steps", of: "'repeat'", text.diagnostics).map {
            text.reader.provingSteps($0, of: "a 'repeat'")
        }
        guard let times, let steps else { return nil }
        return RepeatStep(times: times, steps: steps)
    }
}
