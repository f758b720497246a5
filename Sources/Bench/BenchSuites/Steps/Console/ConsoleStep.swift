import Bench

/// `console`: types a line into the board's console.
struct ConsoleStep: SuiteStep {
    static let kind = StepKind(
        word: "console", argument: .required,
        reference: [
            StepReference(
                """
                `console: "text {a}"`
                """, "types a line")
        ], examples: [#"console: "text""#], mistake: "console: [text]"
    ) { text in
        text.scalars.template(text.value, "a line to type", text.parameters).map { ConsoleStep(line: $0) }
    }

    var line: TextTemplate

    let changesState = false

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.type(try run.text(line))
    }
}
