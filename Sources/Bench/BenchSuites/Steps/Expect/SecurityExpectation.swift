import BLECentral
import BLECore
import Bench
import YAMLReading
import Yams

/// `expect: {security: …}`: a link that is protected like this.
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
        /// The link layer encrypts.
        case encrypted
        /// The key is protected against a machine in the middle.
        case authenticated
        /// The key is kept.
        case bonded
    }

    package var central: CentralReference
    /// The properties that must hold; the others must not.
    package var properties: Set<Property>
    /// The size of the key in bytes; `nil`: any.
    package var keySize: Expression?

    var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = keySize == nil ? [] : [.central(.keySize)]
        // Other stacks may have encrypted it already.
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
