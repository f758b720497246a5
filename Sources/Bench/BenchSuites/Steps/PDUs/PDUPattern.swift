import BLEPackets
import Bench
import BenchModel
import YAMLReading
import Yams

/// One PDU on the air: the n-th of a kind, from the step on.
package struct PDUPattern: Sendable {
    /// The sender.
    package enum Sender: String, Hashable, Sendable, CaseIterable {
        /// The board; with several boards, whatever device is the peripheral of the link.
        case board
        /// A central.
        case central
    }

    /// The kind.
    package var kind: PDUKind
    /// The sender; `nil`: either.
    package var sender: Sender?
    /// Which of these PDUs, counted from 1.
    package var count: Expression
}

extension SuiteReader {
    /// Reads which PDU of `kinds` is meant: its kind in `node`, the rest beside it.
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

    /// Notes that the step has planned a fault or a power cut, which must occur before the case ends.
    func planned(_ point: PlannedPoint) { planners[point] = step }
}
