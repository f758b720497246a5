import Bench
import YAMLReading
import Yams

/// `console`: types a line into the board's console.
struct ConsoleStep: SuiteStep {
    static let kind = StepKind(
        word: "console", argument: .required,
        reference: [
            StepReference(
                """
                `console: "text {a}"`, `{type: "text {a}", board: client}`
                """, "types a line")
        ], examples: [#"console: "text""#, #"console: {type: "text"}"#],
        mistake: "console: [text]"
    ) { text in
        var line = text.value
        var fields: Fields?
        // Any other mapping is a text that lacks quotes.
        if line.mapping?["type"] != nil || line.mapping?["board"] != nil {
            fields = text.fields(of: "'console'", ["type", "board"])
            guard let typed = fields?.required("type", of: "'console'", text.diagnostics) else { return nil }
            line = typed
        }
        guard let line = text.scalars.template(line, "a line to type", text.parameters),
            let board = text.reader.board(
                fields?["board"], for: text.node, form: "console: {type: …, board: NAME}")
        else { return nil }
        return ConsoleStep(line: line, board: board)
    }

    var line: TextTemplate
    /// The board.
    var board: BoardReference

    let changesState = false

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.type(try run.text(line), to: run.board(board))
    }
}
