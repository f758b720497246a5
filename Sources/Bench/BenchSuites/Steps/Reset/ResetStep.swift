import Bench

/// `reset`: pulls the board's EN low and lets it go.
struct ResetStep: SuiteStep {
    static let kind = StepKind(
        word: "reset", argument: .nothing, reference: [StepReference("`reset`", "the board's EN")], examples: ["reset"],
        mistake: "reset: now"
    ) { _ in
        ResetStep()
    }

    let changesState = true

    var needs: Set<BenchAbility> { [.reset] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.reset()
    }
}
