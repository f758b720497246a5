import Bench
import BLECentral
import BLECore
import YAMLReading
import Yams

/// `expect: {bonds: …, of: …}`: the number of bonds, or their peers.
package struct BondExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "bonds", options: ["of", "within"],
        reference: [
            StepReference(
                "`expect: {bonds: 1, of: board}`",
                """
                the number of bonds, or their peers, oldest first: `[first, second]`; `of: second`: the bonds of a \
                central; with several boards, use their names in place of `board` and as peers
                """)
        ],
        examples: [
            "expect: {bonds: 1, of: board}", "expect: {bonds: [first, second], of: board}",
            "expect: {bonds: 0, of: second}",
        ],
        mistake: "expect: {bonds: 1}", read: BondExpectation.read)

    /// The expected bonds.
    package enum Bonds: Sendable {
        /// This number.
        case count(Expression)
        /// Bonds with exactly these centrals and boards, the oldest first.
        case peers([BondHolder])
    }

    /// The device that has the bonds.
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

/// `expect: {security: …}`: the security of a link.
package struct SecurityExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "security", options: ["key size", "on", "within"],
        reference: [
            StepReference(
                """
                `expect: {security: [encrypted, authenticated, bonded], key size: 16, on: second}`
                """, "exactly these; or `none`")
        ],
        examples: [
            "expect: {security: [encrypted, authenticated, bonded], key size: 16, on: second}",
            "expect: {security: none}",
        ],
        mistake: "expect: {security: safe}", read: SecurityExpectation.read)

    /// A property of a link.
    package enum Property: String, Hashable, Sendable, CaseIterable {
        /// The link is encrypted.
        case encrypted
        /// The key is protected against a machine in the middle.
        case authenticated
        /// The key is stored as a bond.
        case bonded
    }

    package var central: CentralReference
    /// The required properties; all other properties must be absent.
    package var properties: Set<Property>
    /// The size of the key in bytes; `nil`: any.
    package var keySize: Expression?

    var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = keySize == nil ? [] : [.central(.keySize)]
        // Other stacks may already have encrypted the link.
        if properties.isEmpty { needs.insert(.central(.plainLinks)) }
        return needs
    }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let size: Int? = if let keySize { try run.number(keySize, PairStep.keySizes) } else { nil }
        let expected = "the link of '\(run.name(central))' to be \(Self.words(properties, size))"
        let central = run.central(self.central)
        let session = run.session
        try await session.expectState(expected, within: timeout) { () async throws(BenchFailure) -> String? in
            let security = try await session.security(of: central, expected: expected)
            let found = Self.properties(security)
            let isReached = found == properties && size ?? security.keySize == security.keySize
            return isReached ? nil : Self.words(found, security.isEncrypted ? security.keySize : nil)
        }
    }

    private static func properties(_ security: LinkSecurity) -> Set<Property> {
        guard security.isEncrypted else { return [] }
        var properties: Set<Property> = [.encrypted]
        if security.isAuthenticated { properties.insert(.authenticated) }
        if security.isBonded { properties.insert(.bonded) }
        return properties
    }

    private static func words(_ properties: Set<Property>, _ keySize: Int?) -> String {
        let words = Property.allCases.filter(properties.contains).map(\.rawValue)
        let size = keySize.map { ", key size \($0)" } ?? ""
        return (words.isEmpty ? "unprotected" : words.joined(separator: ", ")) + size
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        guard let central = reader.central(fields["on"], for: fields.node) else { return nil }
        let keySize = fields["key size"].flatMap { reader.bounded($0, "'key size'", PairStep.keySizes) }
        if subject.scalar?.string == "none" {
            return SecurityExpectation(central: central, properties: [], keySize: keySize)
        }
        let nodes = subject.sequence.map { Array($0) } ?? [subject]
        let properties: [Property?] = nodes.map { reader.scalars.choice($0, "'none' or what the link is") }
        guard !properties.contains(nil) else { return nil }
        if properties.isEmpty {
            reader.diagnostics.report("expected 'none' for a link without protection, got an empty list", at: subject)
        }
        return SecurityExpectation(
            central: central, properties: Set(properties.compactMap(\.self)), keySize: keySize)
    }
}

/// `expect: {disconnect: …}`: the end of a connection that the suite did not end, with this reason (HCI error code) or
/// any.
struct DisconnectExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "disconnect", options: ["on", "within"],
        reference: [
            StepReference("`expect: {disconnect: 0x08, within: 30 s, on: second}`", "the HCI reason, or `any`")
        ], examples: ["expect: {disconnect: 0x08, within: 30 s, on: second}", "expect: {disconnect: any}"],
        mistake: "expect: {disconnect: all}"
    ) { subject, fields, reader in
        guard let central = reader.central(fields["on"], for: fields.node) else { return nil }
        if subject.scalar?.string == "any" { return DisconnectExpectation(central: central) }
        return reader.scalars.expression(subject, "an HCI error code or 'any'", reader.parameters).map {
            DisconnectExpectation(central: central, reason: $0)
        }
    }

    var central: CentralReference
    /// The reason; `nil`: any.
    var reason: Expression?

    var needs: Set<BenchAbility> { reason == nil ? [] : [.central(.disconnectReason)] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let octet: UInt8? = if let reason { try run.octet(reason) } else { nil }
        try await run.session.expect(.disconnect(run.central(central), reason: octet), within: timeout)
    }
}
