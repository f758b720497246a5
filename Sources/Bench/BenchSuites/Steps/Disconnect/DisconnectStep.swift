import Bench

/// `disconnect`: ends a connection.
struct DisconnectStep: SuiteStep {
    static let kind = StepKind(
        word: "disconnect", argument: .optional, reference: [StepReference("`disconnect`, `disconnect: second`", "")],
        examples: ["disconnect", "disconnect: second"],
        mistake: "disconnect: nobody"
    ) { text in
        text.reader.central(text.argument, for: text.node).map { DisconnectStep(central: $0) }
    }

    /// The central.
    var central: CentralReference

    let changesState = true

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.disconnect(run.central(central))
    }
}
