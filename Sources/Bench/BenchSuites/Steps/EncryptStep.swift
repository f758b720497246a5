import Bench
import BLECentral
import BLEPackets

/// `encrypt`: encrypts with the keys of the bond.
package struct EncryptStep: FallibleStep {
    static let kind = StepKind(
        word: "encrypt", argument: .optional,
        reference: [
            StepReference(
                "`encrypt`, `encrypt: second`, `{on: second, within: 1 s}`", "encrypts with the keys of the bond")
        ],
        examples: ["encrypt", "encrypt: second", "encrypt: {on: second, within: 1 s}"], mistake: "encrypt: nobody",
        isLimited: true
    ) { text in
        text.central("'encrypt'").map { EncryptStep(central: $0) }
    }

    /// The central.
    package var central: CentralReference
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? {
        [("key missing", .keyMissing), ("no bond", .notBonded)] + ExpectedError.commonWords
    }

    let changesState = true

    /// With a stack that encrypts by itself, the connection fails instead of this step.
    var needs: Set<BenchAbility> {
        expectedError == nil ? [.central(.encryption)] : [.central(.encryption), .central(.plainLinks)]
    }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try run.checkSecurity(try await run.session.encrypt(run.central(central)), expectedError)
    }
}
