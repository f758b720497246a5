import YAMLReading
import Bench

/// `expect: {console: …}`: a console line; lines before it are skipped.
struct ConsoleExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "console", options: ["within", "board"],
        reference: [
            StepReference(
                """
                `expect: {console: "Adding:   {a:02x}", within: 1 s}`
                """, "a whole line; `/…/`: a regular expression that matches a part of the line")
        ], examples: [#"expect: {console: "Ready", within: 1 s}"#, "expect: {console: /R.ady/}"],
        mistake: "expect: {console: /(/}"
    ) { subject, fields, reader in
        guard let line = reader.console(subject), let board = reader.board(fields["board"], for: fields.node) else {
            return nil
        }
        return ConsoleExpectation(line: line, board: board)
    }

    var line: ConsoleTemplate
    /// The board.
    var board: BoardReference

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.console(try run.pattern(line), of: run.board(board)), within: timeout)
    }
}

/// `expect: {prompt: …}`: a console line that has begun with this text and waits for input.
struct PromptExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "prompt", options: ["within", "board"],
        reference: [
            StepReference(
                """
                `expect: {prompt: "esp32> ", within: 1 s}`
                """, "a line that has begun with just this text and not ended")
        ], examples: [#"expect: {prompt: "esp32> ", within: 1 s}"#],
        mistake: "expect: {prompt: [esp32]}"
    ) { subject, fields, reader in
        guard let text = reader.scalars.template(subject, "a prompt", reader.parameters),
            let board = reader.board(fields["board"], for: fields.node)
        else { return nil }
        if text.source.isEmpty {
            reader.diagnostics.report("an empty prompt proves nothing, expected a text", at: subject)
        }
        return PromptExpectation(text: text, board: board)
    }

    var text: TextTemplate
    /// The board.
    var board: BoardReference

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.prompt(try run.text(text), of: run.board(board)), within: timeout)
    }
}
