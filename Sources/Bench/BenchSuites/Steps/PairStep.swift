import Bench
import BenchModel
import BLECentral
import BLECore
import BLEPackets
import YAMLReading
import Yams

/// `pair`: a new pairing, even if there is a bond.
package struct PairStep: FallibleStep {
    static let kind = StepKind(
        word: "pair", argument: .optional,
        reference: [
            StepReference(
                "`pair`, `pair: second`, `pair: {…}`",
                "pairs, even if a bond exists; a table below lists the keys of `pair`")
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
        /// The passkey that an eavesdropper learned from the last passkey entry with the board.
        case overheard
    }

    /// The central.
    package var central: CentralReference
    package var capability = IOCapability.keyboardDisplay
    package var isBonding = true
    /// True to ask for protection against a machine in the middle.
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

    /// The valid key sizes, in bytes (Core 5.4, Vol 3 Part H 2.3.4).
    static let keySizes: ClosedRange<Int64> = 7...16
    static let passkeys = Int64(PairingAnswers.passkeys.lowerBound)...Int64(PairingAnswers.passkeys.upperBound)

    let changesState = true

    var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = [.central(.pairing), .central(.pairingControl)]
        if case .overheard = passkey { needs.insert(.eavesdropping) }
        if keySize.constant != Self.keySizes.upperBound { needs.insert(.central(.keySize)) }
        // The parameters of a pairing for which only the capabilities are set.
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

extension PairStep {
    /// The reference of the step's keys.
    static let keys = [
        StepReference("`on`", "the central; without it: `first`"),
        StepReference(
            "`passkey`",
            #"""
            a number; `/Passkey: (\d+)/`: the first group in the newest console line that matches, also of an earlier \#
            boot; `not /…/`: any number other than the matched one; `overheard`: the passkey of the last passkey \#
            entry with the board, as computed by an eavesdropper (Core 5.4, Vol 3 Part H 2.3.5.6.3): the step fails \#
            if there was none; `refused`: the user refuses; `unanswered`: no user answers. Users answer after 1 s. \#
            Without this key, a passkey request fails the step; with it, a pairing without a passkey request fails it
            """#),
        StepReference(
            "`confirm`",
            """
            `true` or `false`: whether the user confirms that the numbers are equal; as with `passkey`, the step fails \
            if the pairing does not ask
            """),
        StepReference(
            "`io`", "`keyboard display` (default), `keyboard only`, `display only`, `display yes/no`, `none`"),
        StepReference("`bonding`, `mitm`", "`true` (default) or `false`"),
        StepReference("`secure connections`", "`preferred` (default), `only`, `off`"),
        StepReference("`key size`", "7 to 16 (default)"),
        StepReference(
            "`board`",
            """
            with several boards, the board whose console (or, for `overheard`, whose pairing) has the passkey; by \
            default, all consoles are searched
            """),
        StepReference("`within`", "the time limit of the whole step, including the user's time to answer"),
    ]

    static func read(_ text: StepText) -> (any SuiteStep)? {
        let (reader, scalars) = (text.reader, text.scalars)
        let known = [
            "on", "passkey", "confirm", "io", "bonding", "mitm", "secure connections", "key size", "within", "board",
        ]
        var fields: Fields?
        if let node = text.argument {
            if case .scalar = node { return reader.central(node, for: text.node).map { PairStep(central: $0) } }
            fields = text.fields(of: "'pair'", known)
            if fields == nil { return nil }
        }
        guard let central = reader.central(fields?["on"], for: text.node) else { return nil }
        var step = PairStep(central: central)
        if let node = fields?["passkey"] { step.passkey = passkey(node, reader) ?? .fixed(.unexpected) }
        if case .overheard = step.passkey {
            guard let board = reader.board(fields?["board"], for: text.node) else { return nil }
            step.board = board
        } else {
            step.board = reader.namedBoard(fields?["board"])
        }
        if let node = fields?["confirm"] { step.confirmation = scalars.bool(node, "'confirm'") }
        if let node = fields?["io"] {
            step.capability = capability(node, text) ?? .keyboardDisplay
        }
        if let node = fields?["bonding"] { step.isBonding = scalars.bool(node, "'bonding'") ?? true }
        if let node = fields?["mitm"] { step.isProtected = scalars.bool(node, "'mitm'") ?? true }
        if let node = fields?["secure connections"] {
            step.secureConnections = scalars.choice(node, "when to use secure connections") ?? .preferred
        }
        if let size = fields?["key size"].flatMap({ reader.bounded($0, "'key size'", keySizes) }) {
            step.keySize = size
        }
        return step
    }

    private static func capability(_ node: Node, _ text: StepText) -> IOCapability? {
        text.scalars.choice(
            node, "what the central can show and take in", among: IOCapability.allCases.map { ($0.description, $0) })
    }

    private static func passkey(_ node: Node, _ reader: SuiteReader) -> Passkey? {
        guard let text = reader.scalars.text(node, "a passkey") else { return nil }
        switch text {
        case "refused": return .fixed(.refused)
        case "unanswered": return .fixed(.unanswered)
        case "overheard": return .overheard
        default: break
        }
        if text.hasPrefix("not /") {
            return reader.pattern(text.dropFirst(4), node).map { .fixed(.wrongConsole($0)) }
        }
        if text.hasPrefix("/") { return reader.pattern(text[...], node).map { .fixed(.console($0)) } }
        guard let number = reader.scalars.expression(node, "a passkey", reader.parameters) else { return nil }
        if let constant = number.constant, !passkeys.contains(constant) {
            reader.diagnostics.report("expected a passkey of 0...999999, got \(constant)", at: node)
        }
        return .number(number)
    }
}

/// Why a pairing fails, in the words of the specification (Core 5.4, Vol 3 Part H 3.5.5).
package enum PairingFailure: String, Hashable, Sendable, CaseIterable {
    /// 0x01
    case passkeyEntryFailed = "passkey entry failed"
    /// 0x02
    case outOfBandNotAvailable = "OOB not available"
    /// 0x03
    case authenticationRequirements = "authentication requirements"
    /// 0x04
    case confirmValueFailed = "confirm value failed"
    /// 0x05
    case pairingNotSupported = "pairing not supported"
    /// 0x06
    case encryptionKeySize = "encryption key size"
    /// 0x07
    case commandNotSupported = "command not supported"
    /// 0x08
    case unspecifiedReason = "unspecified reason"
    /// 0x09
    case repeatedAttempts = "repeated attempts"
    /// 0x0A
    case invalidParameters = "invalid parameters"
    /// 0x0B
    case keyCheckFailed = "DHKey check failed"
    /// 0x0C
    case numericComparisonFailed = "numeric comparison failed"

    /// The reason's code.
    package var code: UInt8 {
        UInt8(1 + (Self.allCases.firstIndex(of: self) ?? 0))
    }
}

extension StepRun {
    /// Compares the result of a pairing or an encryption with the expected result.
    func checkSecurity(
        _ outcome: OperationOutcome<LinkSecurity>, _ error: ExpectedError?
    ) throws(BenchFailure) {
        try check(outcome, error) { number in
            if case .failure(let error) = outcome.result, case .encryptionFailed = error.code {
                return "HCI error \(HCIErrorCode(rawValue: number))"
            }
            return "\(SMPFailureReason(rawValue: number))"
        }
    }
}
