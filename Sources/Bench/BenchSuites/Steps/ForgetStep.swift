import Bench
import BLECentral
import YAMLReading
import Yams

/// `forget`: deletes bonds without notifying the other side.
package struct ForgetStep: SuiteStep {
    static let kind = StepKind(
        word: "forget", argument: .required,
        reference: [
            StepReference(
                "`forget: board`, `{on: board, of: second}`, `forget: second`",
                """
                the first two delete the board's bonds, or its bond with one central, without the firmware's \
                knowledge; the third deletes the central's bond; with several boards, use a board's name in place of \
                `board`
                """)
        ], examples: ["forget: board", "forget: {on: board, of: second}", "forget: second"],
        mistake: "forget: {on: second, of: second}", isLimited: true,
        read: ForgetStep.read)

    /// The device whose bonds are deleted.
    package var holder: BondHolder
    /// The peer of the bond; `nil`: all bonds.
    package var peer: BondHolder?

    let changesState = true

    var needs: Set<BenchAbility> { holder.board != nil ? [.boardStorage] : [.central(.bondList)] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        switch holder {
        case .central(let central): try await run.session.forgetBonds(of: run.central(central))
        case .board(let board):
            switch peer {
            case .board(let peer):
                try await run.session.forgetBoardBonds(of: run.board(board), with: run.board(peer))
            case .central(let peer):
                try await run.session.forgetBoardBonds(of: run.board(board), with: run.central(peer))
            case nil: try await run.session.forgetBoardBonds(of: run.board(board), with: nil)
            }
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (node, reader) = (text.value, text.reader)
        if case .scalar = node { return reader.bondHolder(node).map { ForgetStep(holder: $0) } }
        guard let fields = text.fields(of: "'forget'", ["on", "of", "within"]),
            let holder = fields.required("on", of: "'forget'", text.diagnostics).flatMap({ reader.bondHolder($0) })
        else { return nil }
        guard let peer = fields["of"] else { return ForgetStep(holder: holder) }
        guard case .board(let board) = holder else {
            return text.refuse("'of' names a central that the board forgets; a central forgets the board", at: peer)
        }
        return reader.bondPeer(peer, of: board, for: node).map { ForgetStep(holder: holder, peer: $0) }
    }
}

/// A device that has bonds.
package enum BondHolder: Hashable, Sendable {
    /// A board.
    case board(BoardReference)
    /// A central.
    case central(CentralReference)

    /// The board, if it is one.
    package var board: BoardReference? {
        if case .board(let board) = self { board } else { nil }
    }
}

extension SuiteReader {
    func bondHolder(_ node: Node) -> BondHolder? {
        if let board = boardReference(named: node.scalar?.string) { return .board(board) }
        if node.scalar?.string == Self.board {
            return board(nil, for: node, form: "NAME").map { .board($0) }
        }
        return central(node, for: node).map { .central($0) }
    }

    /// A peer that a board may have a bond with: a central, or another board.
    func bondPeer(_ node: Node, of board: BoardReference, for step: Node) -> BondHolder? {
        guard let peer = boardReference(named: node.scalar?.string) else {
            return central(node, for: step).map { .central($0) }
        }
        guard peer != board else {
            diagnostics.report("a board has no bond with itself", at: node)
            return nil
        }
        return .board(peer)
    }
}
