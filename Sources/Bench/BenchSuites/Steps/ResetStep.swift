import Bench
import YAMLReading
import Yams

/// `reset`: a pulse on the board's EN pin.
struct ResetStep: SuiteStep {
    static let kind = StepKind(
        word: "reset", argument: .optional,
        reference: [StepReference("`reset`, `reset: client`", "the board's EN")], examples: ["reset"],
        mistake: "reset: now"
    ) { text in
        var fields: Fields?
        if let argument = text.argument, argument.scalar == nil {
            fields = text.fields(of: "'reset'", ["board"])
            if fields == nil { return nil }
        }
        return text.onlyBoard(fields, form: "reset: NAME").map { ResetStep(board: $0) }
    }

    /// The board.
    var board: BoardReference

    let changesState = true

    var needs: Set<BenchAbility> { [.reset] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.reset(run.board(board))
    }
}
