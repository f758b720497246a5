import Bench
import YAMLReading

/// `advance`: lets time pass.
struct AdvanceStep: SuiteStep {
    static let kind = StepKind(
        word: "advance", argument: .required, reference: [StepReference("`advance: 500 ms`", "lets time pass")],
        examples: ["advance: 500 ms"], mistake: "advance: 500"
    ) { text in
        text.scalars.duration(text.value, "'advance'").map { AdvanceStep(duration: $0) }
    }

    var duration: Duration

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        await run.session.advance(by: duration)
        // A state that ended meanwhile is over: an expectation begins now.
        await run.session.skipStates()
    }
}
