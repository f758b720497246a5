import Bench

/// `disconnect`: ends a connection.
struct DisconnectStep: SuiteStep {
    static let kind = StepKind(
        word: "disconnect", argument: .optional,
        reference: [StepReference("`disconnect`, `disconnect: second`, `{on: second, within: 1 s}`", "")],
        examples: ["disconnect", "disconnect: second", "disconnect: {on: second, within: 1 s}"],
        mistake: "disconnect: nobody", isLimited: true
    ) { text in
        text.central("'disconnect'").map { DisconnectStep(central: $0) }
    }

    /// The central.
    var central: CentralReference

    let changesState = true

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.disconnect(run.central(central))
    }
}
