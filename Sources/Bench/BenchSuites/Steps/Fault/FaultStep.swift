import BLEPackets
import Bench
import YAMLReading
import Yams

/// `fault`: plans a fault on the air, or removes those that are planned.
package struct FaultStep: SuiteStep {
    static let kind = StepKind(
        word: "fault", argument: .required,
        reference: [
            StepReference(
                "`fault: {drop: response, nth: 3, from: board}`",
                """
                once, for the n-th PDU of a kind after this step: `drop` (acknowledged, but not \
                delivered), `corrupt` (CRC error: retransmitted), `alter` (a `byte`, counted from the \
                opcode, is changed in transit), `replay` (sent twice), `delay` (`by: 20 ms`), `cut` (all \
                later packets are lost; with `reason: 0x13`, the link ends at once); with several boards on the \
                links of `board: server`, and `from` is `peripheral` or `central`
                """),
            StepReference(
                "`fault: {drop: LL_VERSION_IND, from: central, every: true}`",
                "every PDU from then on: here a link layer that never answers"),
            StepReference("`fault: none`", "removes all faults and packet loss"),
        ],
        examples: [
            "fault: {drop: response, nth: 3, from: board}", "fault: {delay: request, by: 5 ms}",
            "fault: {drop: LL_VERSION_IND, from: central, every: true}", "fault: none",
        ],
        mistake: "fault: {drop: something}", read: FaultStep.read)

    /// The fault's action, with its numbers still to be computed.
    package enum Action: Sendable {
        case fixed(PDUFault.Action)
        case alter(byte: Expression)
        case disconnect(reason: Expression)
    }

    /// The fault; `nil`: all are removed.
    package struct Fault: Sendable {
        package var pattern: PDUPattern
        package var action: Action
        /// Whether it affects every such PDU from that one on.
        package var isRepeated: Bool
    }

    package var fault: Fault?
    /// The board on whose links it is.
    package var board = BoardReference(index: 0)

    /// The bytes that can be altered, counted from the opcode.
    private static let bytes: ClosedRange<Int64> = 0...511

    let changesState = true

    var needs: Set<BenchAbility> { [.airControl] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        guard let fault else { return try await run.session.clearFaults() }
        let point = try run.point(fault.pattern)
        let action: PDUFault.Action =
            switch fault.action {
            case .fixed(let action): action
            case .alter(let byte): .alter(byte: try run.number(byte, Self.bytes), mask: 0x01)
            case .disconnect(let reason): .disconnect(HCIErrorCode(rawValue: try run.octet(reason)))
            }
        let planned = PDUFault(action, at: point, count: fault.isRepeated ? nil : 1)
        run.planned(try await run.session.plan(planned, run.step.source, at: run.board(board)))
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        if text.value.scalar?.string == "none" { return FaultStep() }
        let reader = text.reader
        let kinds = ["drop", "corrupt", "alter", "replay", "delay", "cut"]
        guard
            let fields = text.fields(of: "'fault'", kinds + ["nth", "from", "byte", "by", "reason", "every", "board"]),
            let (kind, subject) = reader.only(kinds, of: fields, "'fault' takes 'none' or")
        else { return nil }
        for (key, owner) in [("byte", "alter"), ("by", "delay"), ("reason", "cut"), ("every", "drop")]
        where owner != kind {
            if let node = fields[key] { text.diagnostics.report("'\(key)' belongs to '\(owner)'", at: node) }
        }
        guard let pattern = reader.pduPattern(subject, fields), let action = action(kind, fields, reader),
            let board = reader.board(fields["board"], for: text.node)
        else { return nil }
        let isRepeated = fields["every"].flatMap { text.scalars.bool($0, "'every'") } ?? false
        return FaultStep(fault: Fault(pattern: pattern, action: action, isRepeated: isRepeated), board: board)
    }

    private static func action(_ kind: String, _ fields: Fields, _ reader: SuiteReader) -> Action? {
        switch kind {
        case "drop": return .fixed(.drop)
        case "corrupt": return .fixed(.corrupt)
        case "replay": return .fixed(.replay)
        case "alter":
            guard let node = fields["byte"] else { return .alter(byte: Expression(constant: 1)) }
            return reader.bounded(node, "'byte'", bytes).map { .alter(byte: $0) }
        case "delay":
            return fields.required("by", of: "a delay", reader.diagnostics).flatMap {
                reader.scalars.duration($0, "'by'")
            }.map { .fixed(.delay($0)) }
        default:
            guard let node = fields["reason"] else { return .fixed(.cut) }
            return reader.scalars.expression(node, "an HCI error code", reader.parameters).map {
                .disconnect(reason: $0)
            }
        }
    }
}
