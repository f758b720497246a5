import Bench
import YAMLReading

/// `radio`: packet loss and path loss between the board and all centrals, until changed or cleared.
package struct RadioStep: SuiteStep {
    static let kind = StepKind(
        word: "radio", argument: .required,
        reference: [
            StepReference(
                "`radio: {loss: 20, path loss: 90}`",
                """
                the radio path between the board and all centrals: packet loss in percent, path loss in \
                dB; with several boards between `board: server`, or each of them, and all others
                """)
        ], examples: ["radio: {loss: 20, path loss: 90}"],
        mistake: "radio: {loss: 101}",
        read: RadioStep.read)

    /// The packet loss in percent; `nil`: unchanged.
    package var loss: Expression?
    /// The path loss in decibels; `nil`: unchanged.
    package var pathLoss: Expression?
    /// The board; `nil`: every board.
    package var board: BoardReference?

    private static let losses: ClosedRange<Int64> = 0...100
    private static let pathLosses: ClosedRange<Int64> = 0...200

    let changesState = true

    var needs: Set<BenchAbility> { [.airControl] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let loss: Int? = if let loss { try run.number(loss, Self.losses) } else { nil }
        let pathLoss: Int? = if let pathLoss { try run.number(pathLoss, Self.pathLosses) } else { nil }
        try await run.session.setAir(loss: loss, pathLoss: pathLoss, at: board.map { run.board($0) })
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        guard let fields = text.fields(of: "'radio'", ["loss", "path loss", "board"]) else { return nil }
        if fields["loss"] == nil, fields["path loss"] == nil {
            text.diagnostics.report(
                "'radio' lacks what to set, expected 'loss' (percent) or 'path loss' (dB)", at: text.value)
        }
        return RadioStep(
            loss: fields["loss"].flatMap { text.reader.bounded($0, "'loss'", losses) },
            pathLoss: fields["path loss"].flatMap { text.reader.bounded($0, "'path loss'", pathLosses) },
            board: text.reader.namedBoard(fields["board"]))
    }
}
