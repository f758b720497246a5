import Bench
import YAMLReading
import Yams

/// `expect: {power: off}`: the power cut that an earlier step has planned.
package struct PowerCutExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "power", options: ["within", "board"],
        reference: [StepReference("`expect: {power: off}`", "the power cut of a `power: {cut: …}` step")],
        examples: ["expect: {power: off}"],
        mistake: "expect: {power: on}"
    ) { subject, fields, reader in
        if subject.scalar?.string == "off" {
            return reader.board(fields["board"], for: fields.node).map { PowerCutExpectation(board: $0) }
        }
        reader.diagnostics.report(
            "expected 'off' for the cut that a step before asks for, got \(subject.summary)", at: subject)
        return nil
    }

    /// The board.
    package var board: BoardReference

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.powerCut(of: run.board(board)), within: timeout)
    }
}
