import Bench
import YAMLReading
import Yams

/// `reboot`: power off and on; NVS is kept or erased.
package struct RebootStep: SuiteStep {
    static let kind = StepKind(
        word: "reboot", argument: .optional,
        reference: [
            StepReference(
                "`reboot`, `reboot: client`, `reboot: {nvs: erased, within: 1 s, board: client}`",
                """
                off and on again; NVS is kept, or erased. As after `power` and `reset`, a central detects the loss \
                only at its supervision timeout: put `expect: {disconnect: 0x08, within: 30 s}` before its next \
                `connect`
                """)
        ],
        examples: ["reboot", "reboot: {nvs: erased}", "reboot: {within: 1 s}"],
        mistake: "reboot: {nvs: half}", isLimited: true,
        read: RebootStep.read)

    package var erasesNVS: Bool
    /// The board.
    package var board: BoardReference

    let changesState = true

    var needs: Set<BenchAbility> { erasesNVS ? [.power, .storageErase] : [.power] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.reboot(run.board(board), erasesNVS: erasesNVS)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        var fields: Fields?
        if let argument = text.argument, argument.scalar == nil {
            fields = text.fields(of: "'reboot'", ["nvs", "within", "board"])
            if fields == nil { return nil }
        }
        guard let board = text.onlyBoard(fields, form: "reboot: NAME") else { return nil }
        guard let nvs = fields?["nvs"] else { return RebootStep(erasesNVS: false, board: board) }
        let erases: Bool? = text.scalars.choice(
            nvs, "the state of the NVS", among: [("kept", false), ("erased", true)])
        return erases.map { RebootStep(erasesNVS: $0, board: board) }
    }
}
