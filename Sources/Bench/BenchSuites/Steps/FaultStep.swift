import Bench
import BenchModel
import BLEPackets
import YAMLReading
import Yams

/// `fault`: plans a fault on the air, or removes the planned faults.
package struct FaultStep: SuiteStep {
    static let kind = StepKind(
        word: "fault", argument: .required,
        reference: [
            StepReference(
                "`fault: {drop: response, nth: 3, from: board}`",
                """
                once, for the n-th PDU of a kind after this step: `drop` (acknowledged, but not delivered), `corrupt` \
                (CRC error: retransmitted), `alter` (a `byte`, counted from the opcode, is changed in transit), \
                `replay` (sent twice), `delay` (`by: 20 ms`), `cut` (all later packets are lost; with `reason: 0x13`, \
                the link ends at once); with several boards, `board: server` selects the links, and `from` is \
                `peripheral` or `central`
                """),
            StepReference(
                "`fault: {drop: LL_VERSION_IND, from: central, every: true}`",
                "every PDU from this step on; in this example, the link layer never answers"),
            BusFaultStep.reference,
            StepReference(
                "`fault: none`", "removes all faults and packet loss; a fault of a bus must have come by then"),
        ],
        examples: [
            "fault: {drop: response, nth: 3, from: board}", "fault: {delay: request, by: 5 ms}",
            "fault: {drop: LL_VERSION_IND, from: central, every: true}", "fault: none", "fault: {nack: climate}",
            "fault: {flip: climate, byte: 2, bit: 7, nth: 3}",
        ],
        mistake: "fault: {drop: something}", read: FaultStep.read)

    /// The fault's action; its numbers are expressions.
    package enum Action: Sendable {
        case fixed(PDUFault.Action)
        case alter(byte: Expression)
        case disconnect(reason: Expression)
    }

    /// The fault; `nil`: all planned faults are removed.
    package struct Fault: Sendable {
        package var pattern: PDUPattern
        package var action: Action
        /// True if the fault also affects every later PDU of the kind.
        package var isRepeated: Bool
    }

    package var fault: Fault?
    /// The board whose links are affected.
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
        if BusFaultStep.isMeant(by: text.value) { return BusFaultStep.read(text) }
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

/// One PDU on the air: the n-th of a kind, from the step on.
package struct PDUPattern: Sendable {
    /// The sender.
    package enum Sender: String, Hashable, Sendable, CaseIterable {
        /// The board; with several boards, the peripheral of the link.
        case board
        /// A central.
        case central
    }

    /// The kind.
    package var kind: PDUKind
    /// The sender; `nil`: either.
    package var sender: Sender?
    /// The index of the PDU among these, counted from 1.
    package var count: Expression
}

extension SuiteReader {
    /// Reads the selected PDU: its kind, one of `kinds`, from `node`; the rest from the keys beside it.
    func pduPattern(
        _ node: Node, _ fields: Fields, of kinds: [(name: String, kind: PDUKind)] = PDUKind.named
    ) -> PDUPattern? {
        guard let name = scalars.text(node, "a PDU's name") else { return nil }
        guard let kind = kinds.first(where: { $0.name == name })?.kind else {
            let known = kinds.map(\.name)
            let meant = Suggestion.text(for: name, in: known)
            diagnostics.report("unknown PDU '\(name)'\(meant), expected one of: \(known.list)", at: node)
            return nil
        }
        let count = fields["nth"].map { self.count($0, "'nth'") } ?? Expression(constant: 1)
        guard let count else { return nil }
        guard let from = fields["from"] else { return PDUPattern(kind: kind, sender: nil, count: count) }
        let sender: PDUPattern.Sender? = scalars.choice(
            from, "who sends it",
            among: [(hasSeveralBoards ? "peripheral" : "board", .board), ("central", .central)])
        return sender.map { PDUPattern(kind: kind, sender: $0, count: count) }
    }
}

extension StepRun {
    func point(_ pattern: PDUPattern) throws(BenchFailure) -> PDUPoint {
        PDUPoint(
            pattern.kind, from: pattern.sender.map { $0 == .board ? .peripheral : .central },
            occurrence: try number(pattern.count, 1...Int64(Int32.max)))
    }

    /// Records that the step has planned a fault or a power cut, which must occur before the case ends.
    func planned(_ point: PlannedPoint) { planners[point] = step }
}

/// The specification's names of the kinds of PDU, for suites.
extension PDUKind {
    /// Every kind that a suite can name.
    package static let named: [(name: String, kind: PDUKind)] =
        [
            ("ATT PDU", .attribute(nil)), ("response", .attributeResponse), ("request", .attributeRequest),
            ("SMP PDU", .securityManager(nil)),
        ]
        + attributeNames.map { ($0.name, .attribute($0.opcode)) }
        + securityNames.enumerated().map { ($1, .securityManager(SMPOpcode(rawValue: UInt8($0 + 1)))) }
        + [("LL control PDU", .linkControl(opcodes: []))]
        + linkControlNames.map { ($0.name, .linkControl(opcodes: [$0.opcode])) }

    /// Core 5.4, Vol 3 Part F 3.4.8.
    private static let attributeNames: [(name: String, opcode: ATTOpcode)] = [
        ("error response", .errorResponse), ("exchange MTU request", .exchangeMTURequest),
        ("exchange MTU response", .exchangeMTUResponse), ("find information request", .findInformationRequest),
        ("find information response", .findInformationResponse),
        ("find by type value request", .findByTypeValueRequest),
        ("find by type value response", .findByTypeValueResponse), ("read by type request", .readByTypeRequest),
        ("read by type response", .readByTypeResponse), ("read request", .readRequest),
        ("read response", .readResponse), ("read blob request", .readBlobRequest),
        ("read blob response", .readBlobResponse), ("read by group type request", .readByGroupTypeRequest),
        ("read by group type response", .readByGroupTypeResponse), ("write request", .writeRequest),
        ("write response", .writeResponse), ("prepare write request", .prepareWriteRequest),
        ("prepare write response", .prepareWriteResponse), ("execute write request", .executeWriteRequest),
        ("execute write response", .executeWriteResponse), ("notification", .handleValueNotification),
        ("indication", .handleValueIndication), ("confirmation", .handleValueConfirmation),
        ("write command", .writeCommand),
    ]

    /// Core 5.4, Vol 3 Part H 3.3, in the order of their codes from 0x01.
    private static let securityNames = [
        "pairing request", "pairing response", "pairing confirm", "pairing random", "pairing failed",
        "encryption information", "central identification", "identity information", "identity address information",
        "signing information", "security request", "pairing public key", "pairing DHKey check",
        "pairing keypress notification",
    ]

    /// Core 5.4, Vol 6 Part B 2.4.2: the PDUs that espbench's controllers send.
    private static let linkControlNames: [(name: String, opcode: UInt8)] = [
        ("LL_CONNECTION_UPDATE_IND", 0x00), ("LL_TERMINATE_IND", 0x02), ("LL_ENC_REQ", 0x03), ("LL_ENC_RSP", 0x04),
        ("LL_START_ENC_REQ", 0x05), ("LL_START_ENC_RSP", 0x06), ("LL_UNKNOWN_RSP", 0x07), ("LL_FEATURE_REQ", 0x08),
        ("LL_FEATURE_RSP", 0x09), ("LL_PAUSE_ENC_REQ", 0x0A), ("LL_PAUSE_ENC_RSP", 0x0B), ("LL_VERSION_IND", 0x0C),
        ("LL_CONNECTION_PARAM_REQ", 0x0F), ("LL_REJECT_EXT_IND", 0x11), ("LL_LENGTH_REQ", 0x14),
        ("LL_LENGTH_RSP", 0x15), ("LL_PHY_REQ", 0x16), ("LL_PHY_RSP", 0x17), ("LL_PHY_UPDATE_IND", 0x18),
    ]
}
