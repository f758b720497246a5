import Bench

/// `reset`: a pulse on the board's EN pin.
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
