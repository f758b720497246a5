import BLECentral
import Bench
import Yams

/// `forget`: deletes bonds without notifying the other side.
package struct ForgetStep: SuiteStep {
    static let kind = StepKind(
        word: "forget", argument: .required,
        reference: [
            StepReference(
                "`forget: board`, `{on: board, of: second}`, `forget: second`",
                """
                deletes the board's bonds, or that with one central, without the firmware's knowledge; \
                deletes the central's bond
                """)
        ], examples: ["forget: board", "forget: {on: board, of: second}", "forget: second"],
        mistake: "forget: {on: second, of: second}", isLimited: true,
        read: ForgetStep.read)

    /// The device whose bonds are deleted.
    package var holder: BondHolder
    /// The peer of the bond; `nil`: all bonds.
    package var peer: CentralReference?

    let changesState = true

    var needs: Set<BenchAbility> { holder == .board ? [.boardStorage] : [.central(.bondList)] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        switch holder {
        case .central(let central): try await run.session.forgetBonds(of: run.central(central))
        case .board: try await run.session.forgetBoardBonds(with: peer.map { run.central($0) })
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (node, reader) = (text.value, text.reader)
        if case .scalar = node { return reader.bondHolder(node).map { ForgetStep(holder: $0) } }
        guard let fields = text.fields(of: "'forget'", ["on", "of", "within"]),
            let holder = fields.required("on", of: "'forget'", text.diagnostics).flatMap({ reader.bondHolder($0) })
        else { return nil }
        guard let peer = fields["of"] else { return ForgetStep(holder: holder) }
        guard holder == .board else {
            return text.refuse("'of' says whom the board forgets; a central has only the board to forget", at: peer)
        }
        return reader.central(peer, for: node).map { ForgetStep(holder: holder, peer: $0) }
    }
}

/// A device that has bonds.
package enum BondHolder: Hashable, Sendable {
    /// The board.
    case board
    /// A central.
    case central(CentralReference)
}

extension SuiteReader {
    func bondHolder(_ node: Node) -> BondHolder? {
        if node.scalar?.string == Self.board { return .board }
        return central(node, for: node).map { .central($0) }
    }
}
