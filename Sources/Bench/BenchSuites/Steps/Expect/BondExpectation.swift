import BLECentral
import BLECore
import Bench
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
                central's
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
        /// With these centrals and no others, the oldest first.
        case centrals([CentralReference])
    }

    /// The central.
    package var holder: BondHolder
    package var bonds: Bonds

    private static let counts: ClosedRange<Int64> = 0...100

    var needs: Set<BenchAbility> { holder == .board ? [.boardStorage] : [.central(.bondList)] }

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
        case (.board, .count(let expression)):
            let count = try run.number(expression, Self.counts)
            try await onBoard("\(count) bond\(count == 1 ? "" : "s")", session, timeout) { $0.count == count }
        case (.board, .centrals(let centrals)):
            var identities: [DeviceAddress] = []
            for central in centrals { identities.append(try await session.identity(of: run.central(central))) }
            let names = centrals.map { run.name($0) }.joined(separator: ", ")
            try await onBoard("bonds with " + names, session, timeout) { [identities] in $0 == identities }
        case (.central, .centrals): break
        }
    }

    private func onBoard(
        _ what: String, _ session: BenchSession, _ timeout: Duration, _ isReached: @Sendable ([DeviceAddress]) -> Bool
    ) async throws(BenchFailure) {
        let expected = "the board to have \(what)"
        try await session.expectState(expected, within: timeout) { () async throws(BenchFailure) -> String? in
            let bonds = try await session.boardBonds(expected)
            if isReached(bonds) { return nil }
            var names: [String] = []
            for bond in bonds { names.append(await session.centralName(bond) ?? bond.description) }
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
        guard holder == .board else {
            reader.diagnostics.report("expected a number of bonds of a central, got a list", at: subject)
            return nil
        }
        let centrals = sequence.map { reader.central($0, for: $0) }
        guard !centrals.contains(nil) else { return nil }
        return BondExpectation(holder: holder, bonds: .centrals(centrals.compactMap(\.self)))
    }
}
