import Bench
import BLEPackets
import YAMLReading
import Yams

/// `power`: switches the board's supply, or plans a power cut.
package struct PowerStep: SuiteStep {
    static let kind = StepKind(
        word: "power", argument: .required,
        reference: [
            StepReference(
                "`power: on`, `off`, `cycle`",
                "the board's supply; `cycle` leaves it off for 100 ms; `{switch: off, board: client}`"),
            StepReference(
                "`power: brownout`",
                "the supply's voltage drops for a moment: ESP-IDF reports it on the console and resets the chip"),
            StepReference(
                """
                `power: {cut: {console: "…"}}`
                """,
                """
                cuts the supply later, once: at a console line (also `/…/`), in the middle of the n-th NVS write \
                (`{nvs write: 2}`), or when a PDU has been received (`{pdu: pairing random, nth: 2, from: board}`); \
                with several boards, this board is the receiver of the PDU, and `from` is not allowed
                """),
        ],
        examples: [
            "power: cycle", "power: {cut: {pdu: pairing random, nth: 2, from: board}}",
            "power: {switch: off}",
        ],
        mistake: "power: maybe",
        read: PowerStep.read)

    /// The immediate action.
    package enum Switch: String, CaseIterable {
        case on
        case off
        case cycle
        /// The voltage drops for a moment.
        case brownout
    }

    package enum Action: Sendable {
        case change(Switch)
        /// Cuts the supply once, at an event.
        case cut(CutPoint)
    }

    /// The condition for cutting the supply.
    package enum CutPoint: Sendable {
        /// A console line is complete.
        case console(ConsoleTemplate)
        /// The firmware changes its NVS for the n-th time after the step; the supply is cut in the middle of the
        /// change.
        case storageWrite(Expression)
        /// The n-th PDU of a kind has been received.
        case pdu(PDUPattern)
    }

    package var action: Action
    /// The board.
    package var board = BoardReference(index: 0)

    let changesState = true

    var needs: Set<BenchAbility> {
        switch action {
        case .change(.brownout): [.brownout]
        case .change, .cut(.console): [.power]
        case .cut: [.power, .powerCut]
        }
    }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let board = run.board(board)
        switch action {
        case .change(.on): try await run.session.setPower(true, of: board)
        case .change(.off): try await run.session.setPower(false, of: board)
        case .change(.brownout): try await run.session.brownOut(board)
        case .change(.cycle): try await run.session.cyclePower(of: board)
        case .cut(.console(let template)):
            run.planned(try await run.session.cutPower(of: board, atLine: try run.pattern(template)))
        case .cut(.storageWrite(let count)):
            let count = try run.number(count, 1...Int64(Int32.max))
            run.planned(try await run.session.cutPower(of: board, at: .storageWrite(count)))
        case .cut(.pdu(let pattern)):
            run.planned(try await run.session.cutPower(of: board, at: .pdu(try run.point(pattern))))
        }
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let form = "power: {switch: off, board: NAME}"
        guard case .mapping = text.value else {
            guard let change = change(text.value, text), let board = text.reader.board(nil, for: text.node, form: form)
            else { return nil }
            return PowerStep(action: .change(change), board: board)
        }
        guard let fields = text.fields(of: "'power'", ["cut", "switch", "board"]),
            let (kind, subject) = text.reader.only(["cut", "switch"], of: fields, "'power' takes"),
            let action = kind == "cut"
                ? cutPoint(subject, text.reader).map(Action.cut) : change(subject, text).map(Action.change),
            let board = text.reader.board(fields["board"], for: text.node)
        else { return nil }
        return PowerStep(action: action, board: board)
    }

    private static func change(_ node: Node, _ text: StepText) -> Switch? {
        text.scalars.choice(node, "what to do with the power")
    }

    private static func cutPoint(_ node: Node, _ reader: SuiteReader) -> CutPoint? {
        let kinds = ["console", "nvs write", "pdu"]
        guard let fields = Fields(node, of: "'cut'", known: kinds + ["nth", "from"], reader.diagnostics),
            let (kind, subject) = reader.only(kinds, of: fields, "'cut' waits for")
        else { return nil }
        if kind != "pdu", let node = fields["nth"] ?? fields["from"] {
            reader.diagnostics.report("'nth' and 'from' belong to a 'pdu'", at: node)
        } else if reader.hasSeveralBoards, let from = fields["from"] {
            reader.diagnostics.report(
                "with several boards a cut counts the PDUs that its board receives: remove 'from'", at: from)
        }
        switch kind {
        case "console": return reader.console(subject).map { .console($0) }
        case "nvs write": return reader.count(subject, "the number of the NVS write").map { .storageWrite($0) }
        default:
            return reader.pduPattern(subject, fields, of: PDUKind.named.filter { !$0.kind.isLinkControl }).map {
                .pdu($0)
            }
        }
    }
}
