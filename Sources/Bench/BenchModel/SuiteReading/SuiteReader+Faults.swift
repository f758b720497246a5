import BLEPackets
import Yams

/// Faults on the air, and ATT PDUs that no stack would send.
extension SuiteReader {
    /// Reads `fault`.
    func fault(_ node: Node) -> FaultStep? {
        if node.scalar?.string == "none" { return .clear }
        let kinds = ["drop", "corrupt", "alter", "replay", "delay", "cut"]
        let known = kinds + ["nth", "from", "byte", "by", "reason", "every"]
        guard let fields = Fields(node, of: "'fault'", known: known, diagnostics),
            let (kind, subject) = only(kinds, of: fields, "'fault' takes 'none' or")
        else { return nil }
        for (key, owner) in [("byte", "alter"), ("by", "delay"), ("reason", "cut"), ("every", "drop")]
        where owner != kind {
            if let node = fields[key] { diagnostics.report("'\(key)' belongs to '\(owner)'", at: node) }
        }
        guard let pattern = pduPattern(subject, fields), let action = faultAction(kind, fields) else { return nil }
        let isRepeated = fields["every"].flatMap { scalars.bool($0, "'every'") } ?? false
        return .add(AirFault(pattern: pattern, action: action, isRepeated: isRepeated))
    }

    private func faultAction(_ kind: String, _ fields: Fields) -> AirFault.Action? {
        switch kind {
        case "drop": return .drop
        case "corrupt": return .corrupt
        case "replay": return .replay
        case "alter":
            guard let node = fields["byte"] else { return .alter(byte: Expression(constant: 1)) }
            return bounded(node, "'byte'", AirFault.bytes).map { .alter(byte: $0) }
        case "delay":
            return fields.required("by", of: "a delay", diagnostics).flatMap { scalars.duration($0, "'by'") }
                .map { .delay($0) }
        default:
            guard let node = fields["reason"] else { return .cut }
            return scalars.expression(node, "an HCI error code", parameters).map { .disconnect(reason: $0) }
        }
    }

    /// Reads which PDU of `kinds` is meant: its kind in `node`, the rest beside it.
    func pduPattern(
        _ node: Node, _ fields: Fields, of kinds: [(name: String, kind: PDUKind)] = PDUKind.named
    ) -> PDUPattern? {
        guard let name = scalars.text(node, "a PDU's name") else { return nil }
        guard let kind = kinds.first(where: { $0.name == name })?.kind else {
            diagnostics.report("unknown PDU '\(name)', expected one of: \(kinds.map(\.name).list)", at: node)
            return nil
        }
        let count = fields["nth"].map { self.count($0, "'nth'") } ?? Expression(constant: 1)
        guard let count else { return nil }
        guard let from = fields["from"] else { return PDUPattern(kind: kind, sender: nil, count: count) }
        let sender: PDUPattern.Sender? = scalars.choice(from, "who sends it")
        return sender.map { PDUPattern(kind: kind, sender: $0, count: count) }
    }

    /// Reads `radio`.
    func radio(_ node: Node) -> RadioStep? {
        guard let fields = Fields(node, of: "'radio'", known: ["loss", "path loss"], diagnostics) else { return nil }
        if fields["loss"] == nil, fields["path loss"] == nil {
            diagnostics.report("'radio' lacks what to set, expected 'loss' (percent) or 'path loss' (dB)", at: node)
        }
        return RadioStep(
            loss: fields["loss"].flatMap { bounded($0, "'loss'", RadioStep.losses) },
            pathLoss: fields["path loss"].flatMap { bounded($0, "'path loss'", RadioStep.pathLosses) })
    }

    /// A number that, as far as it is known before anything runs, is in `range`.
    func bounded(_ node: Node, _ what: String, _ range: ClosedRange<Int64>) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, !range.contains(constant) {
            diagnostics.report(
                "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(constant)", at: node)
        }
        return value
    }

    /// Reads `att`.
    func attributePDU(_ node: Node) -> AttributePDUStep? {
        let known = ["send", "answer", "within", "on"]
        guard let fields = Fields(node, of: "'att'", known: known, diagnostics) else { return nil }
        let pdu = fields.required("send", of: "'att'", diagnostics).flatMap { pduBytes($0, "'send'") }
        let answer = answer(fields["answer"])
        let timeout = fields["within"].flatMap { scalars.duration($0, "'within'") } ?? defaults.within
        guard let pdu, let answer, let client = client(fields["on"], for: node) else { return nil }
        return AttributePDUStep(client: client, pdu: pdu, answer: answer, timeout: timeout, expectedError: nil)
    }

    private func answer(_ node: Node?) -> AttributePDUStep.Answer? {
        guard let node else { return .any }
        if node.scalar?.string == "none" { return .silence }
        return pduBytes(node, "'answer'").map { .pdu($0) }
    }

    private func pduBytes(_ node: Node, _ what: String) -> ValueTemplate? {
        guard case .sequence(let sequence) = node, !sequence.isEmpty else {
            diagnostics.report(
                "expected \(what) to be a list such as [0x0a, {handle: output}], got \(node.summary)", at: node)
            return nil
        }
        let elements = sequence.map { pduElement($0) }
        return elements.contains { $0 == nil } ? nil : ValueTemplate(elements: elements.compactMap(\.self))
    }

    private func pduElement(_ node: Node) -> ValueTemplate.Element? {
        guard case .mapping(let mapping) = node, mapping["handle"] != nil else { return element(node) }
        guard let fields = Fields(node, of: "a handle", known: ["handle", "plus"], diagnostics) else { return nil }
        let uuid = fields.required("handle", of: "a handle", diagnostics).flatMap { self.uuid($0, "a characteristic") }
        let offset = fields["plus"].map { number($0, "'plus'", 0...0xFF) } ?? 0
        guard let uuid, let offset else { return nil }
        return .handle(uuid, plus: offset, node.position)
    }
}
