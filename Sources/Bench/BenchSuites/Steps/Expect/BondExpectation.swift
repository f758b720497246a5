import BLECentral
import BLECore
import Bench
import YAMLReading
import Yams

/// `expect: {bonds: …, of: …}`: how many bonds there are, or with whom.
package struct BondExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "bonds", options: ["of", "within"],
        reference: [
            StepReference(
                "`expect: {bonds: 1, of: board}`",
                """
                the number of bonds, or their peers, oldest first: `[first, second]`; `of: second`: a \
                central's; with several boards their names stand in place of `board`, and among the peers
                """)
        ],
        examples: [
            "expect: {bonds: 1, of: board}", "expect: {bonds: [first, second], of: board}",
            "expect: {bonds: 0, of: second}",
        ],
        mistake: "expect: {bonds: 1}", read: BondExpectation.read)

    /// What is expected.
    package enum Bonds: Sendable {
        /// This number.
        case count(Expression)
        /// With these centrals and boards and no others, the oldest first.
        case peers([BondHolder])
    }

    /// The central.
    package var holder: BondHolder
    package var bonds: Bonds

    private static let counts: ClosedRange<Int64> = 0...100

    var needs: Set<BenchAbility> { holder.board != nil ? [.boardStorage] : [.central(.bondList)] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let session = run.session
        switch (holder, bonds) {
        case (.central(let central), .count(let expression)):
            let count = try run.number(expression, Self.counts)
            let id = run.central(central)
            let expected = "'\(run.name(central))' to have \(count) bond\(count == 1 ? "" : "s")"
            try await session.expectState(expected, within: timeout) { () async throws(BenchFailure) -> String? in
                let found = try await session.bondCount(of: id, expected: expected)
                return found == count ? nil : "\(found)"
            }
        case (.board(let board), .count(let expression)):
            let count = try run.number(expression, Self.counts)
            try await on(run.board(board), "\(count) bond\(count == 1 ? "" : "s")", session, timeout) {
                $0.count == count
            }
        case (.board(let board), .peers(let peers)):
            var identities: [DeviceAddress] = []
            var names: [String] = []
            for peer in peers {
                switch peer {
                case .central(let central):
                    identities.append(try await session.identity(of: run.central(central)))
                    names.append(run.name(central))
                case .board(let board):
                    identities.append(try await session.address(of: run.board(board)))
                    names.append(run.suite.boards[board.index].name)
                }
            }
            try await on(run.board(board), "bonds with " + names.joined(separator: ", "), session, timeout) {
                [identities] in $0 == identities
            }
        case (.central, .peers): break
        }
    }

    private func on(
        _ board: BoardID, _ what: String, _ session: BenchSession, _ timeout: Duration,
        _ isReached: @Sendable ([DeviceAddress]) -> Bool
    ) async throws(BenchFailure) {
        let name = await session.name(of: board).map { "'\($0)'" } ?? "the board"
        let expected = "\(name) to have \(what)"
        try await session.expectState(expected, within: timeout) { () async throws(BenchFailure) -> String? in
            let bonds = try await session.boardBonds(of: board, expected)
            if isReached(bonds) { return nil }
            var names: [String] = []
            for bond in bonds { names.append(await session.peerName(bond) ?? bond.description) }
            return names.isEmpty ? "none" : "\(bonds.count): " + names.joined(separator: ", ")
        }
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        guard
            let holder = fields.required("of", of: "'expect' of 'bonds'", reader.diagnostics)
                .flatMap({ reader.bondHolder($0) })
        else { return nil }
        guard case .sequence(let sequence) = subject else {
            return reader.scalars.expression(subject, "a number of bonds or a list of centrals", reader.parameters)
                .map { BondExpectation(holder: holder, bonds: .count($0)) }
        }
        guard case .board(let board) = holder else {
            reader.diagnostics.report("expected a number of bonds of a central, got a list", at: subject)
            return nil
        }
        let peers = sequence.map { reader.bondPeer($0, of: board, for: $0) }
        guard !peers.contains(nil) else { return nil }
        return BondExpectation(holder: holder, bonds: .peers(peers.compactMap(\.self)))
    }
}
