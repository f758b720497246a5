import BLEPackets
import Bench
import Yams

/// `power`: switches the board's supply, or has it cut later.
package struct PowerStep: SuiteStep {
    static let kind = StepKind(
        word: "power", argument: .required,
        reference: [
            StepReference("`power: on`, `off`, `cycle`", "the board's supply; `cycle` leaves it off for 100 ms"),
            StepReference(
                "`power: brownout`",
                "the supply's voltage drops for a moment: ESP-IDF says so on the console and resets the chip"),
            StepReference(
                """
                `power: {cut: {console: "…"}}`
                """,
                """
                cuts it later, once: at a console line (also `/…/`), in the middle of the n-th NVS write \
                (`{nvs write: 2}`), or when a PDU has been received (`{pdu: pairing random, nth: 2, \
                from: board}`)
                """),
        ], examples: ["power: cycle", "power: {cut: {pdu: pairing random, nth: 2, from: board}}"],
        mistake: "power: maybe",
        read: PowerStep.read)

    /// What is done at once.
    package enum Switch: String, CaseIterable {
        case on
        case off
        case cycle
        /// The voltage drops for a moment.
        case brownout
    }

    package enum Action: Sendable {
        case change(Switch)
        /// Cuts the supply when something happens, once.
        case cut(CutPoint)
    }

    /// What a cut of the supply waits for.
    package enum CutPoint: Sendable {
        /// A console line is complete.
        case console(ConsoleTemplate)
        /// The firmware changes its NVS for the n-th time from the step on; the cut comes in the middle of it.
        case storageWrite(Expression)
        /// The n-th PDU of a kind has been received.
        case pdu(PDUPattern)
    }

    package var action: Action

    let changesState = true

    var needs: Set<BenchAbility> {
        switch action {
        case .change(.brownout): [.brownout]
        case .change, .cut(.console): [.power]
        case .cut: [.power, .powerCut]
        }
    }

    func run(_ run: StepRun) async throws(BenchFailure) {
        switch action {
        case .change(.on): try await run.session.setPower(true)
        case .change(.off): try await run.session.setPower(false)
        case .change(.brownout): try await run.session.brownOut()
        case .change(.cycle): try await run.session.cyclePower()
        case .cut(.console(let template)):
            run.planned(try await run.session.cutPower(atLine: try run.pattern(template)))
        case .cut(.storageWrite(let count)):
            let count = try run.number(count, 1...Int64(Int32.max))
            run.planned(try await run.session.cutPower(at: .storageWrite(count)))
        case .cut(.pdu(let pattern)):
            run.planned(try await run.session.cutPower(at: .pdu(try run.point(pattern))))
        }
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        guard case .mapping = text.value else {
            let change: Switch? = text.scalars.choice(text.value, "what to do with the power")
            return change.map { PowerStep(action: .change($0)) }
        }
        guard let fields = text.fields(of: "'power'", ["cut"]),
            let point = fields.required("cut", of: "'power'", text.diagnostics)
        else { return nil }
        return cutPoint(point, text.reader).map { PowerStep(action: .cut($0)) }
    }

    private static func cutPoint(_ node: Node, _ reader: SuiteReader) -> CutPoint? {
        let kinds = ["console", "nvs write", "pdu"]
        guard let fields = Fields(node, of: "'cut'", known: kinds + ["nth", "from"], reader.diagnostics),
            let (kind, subject) = reader.only(kinds, of: fields, "'cut' waits for")
        else { return nil }
        if kind != "pdu", let node = fields["nth"] ?? fields["from"] {
            reader.diagnostics.report("'nth' and 'from' belong to a 'pdu'", at: node)
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
