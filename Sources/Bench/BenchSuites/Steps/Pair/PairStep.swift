import BLECentral
import BLECore
import Bench

/// `pair`: a new pairing, also with an existing bond.
package struct PairStep: FallibleStep {
    static let kind = StepKind(
        word: "pair", argument: .optional,
        reference: [
            StepReference(
                "`pair`, `pair: second`, `pair: {…}`",
                "pairs, also with an existing bond; its keys have a table of their own")
        ],
        examples: [
            "pair", "pair: second", #"pair: {on: second, passkey: '/Passkey: (\d+)/', io: keyboard only}"#,
            "pair: {passkey: overheard}",
        ],
        mistake: "pair: {passkey: 1000000}", isLimited: true,
        read: PairStep.read)

    /// The central's answer to a passkey request.
    package enum Passkey: Sendable {
        case fixed(PairingAnswers.Passkey)
        /// This number.
        case number(Expression)
        /// With the one that the last passkey entry with the board gave away on the air: the central is an eavesdropper.
        case overheard
    }

    /// The central.
    package var central: CentralReference
    package var capability = IOCapability.keyboardDisplay
    package var isBonding = true
    /// Whether to ask for protection against a machine in the middle.
    package var isProtected = true
    package var secureConnections = SecureConnectionsUse.preferred
    /// The size of the key in bytes.
    package var keySize = Expression(constant: 16)
    package var passkey = Passkey.fixed(.unexpected)
    /// The board whose console or air gives the passkey; `nil`: any console.
    package var board: BoardReference?
    /// The answer to a numeric comparison; `nil`: such a request is a failure.
    package var confirmation: Bool?
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? {
        PairingFailure.allCases.map { ($0.rawValue, .pairing($0)) } + ExpectedError.commonWords
    }

    /// The sizes of keys there are, in bytes (Core 5.4, Vol 3 Part H 2.3.4).
    static let keySizes: ClosedRange<Int64> = 7...16
    static let passkeys = Int64(PairingAnswers.passkeys.lowerBound)...Int64(PairingAnswers.passkeys.upperBound)

    let changesState = true

    var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = [.central(.pairing), .central(.pairingControl)]
        if case .overheard = passkey { needs.insert(.eavesdropping) }
        if keySize.constant != Self.keySizes.upperBound { needs.insert(.central(.keySize)) }
        // What stacks do that only ask for the capabilities.
        let isUsual = isBonding && isProtected == (capability != .noInputNoOutput) && secureConnections == .preferred
        if !isUsual { needs.insert(.central(.pairingParameters)) }
        return needs
    }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let board = board.map { run.board($0) }
        var answers = PairingAnswers(confirmation: confirmation, board: board)
        switch passkey {
        case .fixed(let passkey): answers.passkey = passkey
        case .number(let expression): answers.passkey = .number(UInt32(try run.number(expression, Self.passkeys)))
        case .overheard: answers.passkey = .number(try await run.session.overheardPasskey(near: board ?? .first))
        }
        let keySize = try run.number(keySize, Self.keySizes)
        let security = CentralSecurity(
            ioCapability: capability, bonding: isBonding, mitm: isProtected, secureConnections: secureConnections,
            keySizes: min(7, keySize)...keySize)
        let outcome = try await run.session.pair(run.central(central), security, answers: answers)
        try run.checkSecurity(outcome, expectedError)
    }
}
