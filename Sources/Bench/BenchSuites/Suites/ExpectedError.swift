import Bench
import BenchModel
import BLECentral
import BLEPackets
import YAMLReading
import Yams

/// The error with which an operation must end.
package enum ExpectedError: Hashable, Sendable {
    /// The code of a protocol: ATT for an attribute, SMP for a pairing, HCI for an encryption.
    case code(Expression)
    /// A pairing fails for this reason.
    case pairing(PairingFailure)
    /// An encryption fails because the board has no key: HCI 0x06, PIN or Key Missing.
    case keyMissing
    /// The central has no bond.
    case notBonded
    /// The Security Manager or ATT has timed out.
    case timeout
    /// The link ends first.
    case disconnected
    /// Any refusal by the peer or the Security Manager, or the end of the link: for stacks that hide the reason.
    case any

    /// The words for errors of every operation.
    static let commonWords: [(word: String, error: ExpectedError)] = [
        ("timeout", .timeout), ("disconnected", .disconnected), ("any", .any),
    ]

    /// The codes of the Attribute Protocol on which a stack may pair or encrypt by itself and try again: Insufficient
    /// Authentication, Authorization, Encryption Key Size and Encryption (Core 5.4, Vol 3 Part F 3.4.1.1).
    private static let codesForSecurity: Set<Int64> = [0x05, 0x08, 0x0C, 0x0F]

    /// The abilities a central needs to detect this error of an operation (`ofSecurity`, or else of ATT).
    func needs(ofSecurity: Bool) -> Set<BenchAbility> {
        switch self {
        case .code(let code) where !ofSecurity:
            code.constant.map { !Self.codesForSecurity.contains($0) } ?? false ? [] : [.central(.attErrors)]
        case .code, .pairing: [.central(.pairingFailureReason)]
        case .keyMissing, .notBonded, .timeout, .disconnected, .any: []
        }
    }

    func words(_ number: UInt8?, _ describe: (UInt8) -> String) -> String {
        switch self {
        case .code: number.map(describe) ?? ""
        case .pairing(let failure): "\(SMPFailureReason(rawValue: failure.code))"
        case .keyMissing: "\(HCIErrorCode(rawValue: 0x06))"
        case .notBonded: "no bond"
        case .timeout: "a time-out"
        case .disconnected: "the end of the link"
        case .any: "any error, or the end of the link"
        }
    }

    func matches(_ code: CentralError.Code, _ number: UInt8?) -> Bool {
        switch (code, self) {
        case (.attError(let got), .code), (.pairingFailed(let got), .code), (.encryptionFailed(let got), .code):
            got == number
        case (.pairingFailed(let got), .pairing(let failure)): got == failure.code
        case (.attError, .any), (.pairingFailed, .any), (.encryptionFailed, .any), (.disconnected, .any),
            (.notConnected, .any):
            true
        case (.encryptionFailed(0x06), .keyMissing), (.notBonded, .notBonded), (.timedOut, .timeout),
            (.disconnected, .disconnected), (.notConnected, .disconnected):
            true
        default: false
        }
    }
}

extension StepRun {
    /// Compares the result of an operation with the expected result. `describe` gives the text of an error's code in
    /// its protocol.
    ///
    /// - Returns: the value of the operation; `nil` when it failed as expected.
    @discardableResult
    func check<Value>(
        _ outcome: OperationOutcome<Value>, _ error: ExpectedError?, _ describe: (UInt8) -> String
    ) throws(BenchFailure) -> Value? {
        guard let error else { return try outcome.get() }
        var number: UInt8?
        if case .code(let expression) = error { number = try octet(expression) }
        let expected = "\(outcome.expected) to fail with \(error.words(number, describe))"
        switch outcome.result {
        case .success: throw BenchFailure(.assertion, expected: expected, got: "it succeeded")
        case .failure(let failure):
            guard error.matches(failure.code, number) else { throw outcome.failure(failure, expected: expected) }
            return nil
        }
    }

    /// Compares the result of an operation on an attribute with the expected result.
    @discardableResult
    func check<Value>(
        _ outcome: OperationOutcome<Value>, _ error: ExpectedError?
    ) throws(BenchFailure) -> Value? {
        try check(outcome, error) { "ATT error \(ATTErrorCode(rawValue: $0))" }
    }
}

extension SuiteReader {
    /// Attaches the error of `expect: {error: …}` to the operation before it.
    func attachExpectedError(_ step: StepWord, to steps: inout [Step]) {
        guard let value = step.value,
            let fields = Fields(value, of: "'expect: {error: …}'", known: ["error"], diagnostics),
            let node = fields["error"]
        else { return }
        guard let last = steps.indices.last, var action = steps[last].action as? any FallibleStep,
            let words = action.errorWords
        else {
            return diagnostics.report(
                "'expect: {error: …}' must follow the read, write, att, subscribe, unsubscribe, pair or encrypt that fails",
                at: value)
        }
        guard let error = expectedError(node, words) else { return }
        action.expectedError = error
        steps[last].action = action
    }

    /// Reads an error: one of `words`, or a number.
    private func expectedError(_ node: Node, _ words: [(word: String, error: ExpectedError)]) -> ExpectedError? {
        guard let text = scalars.text(node, "an error") else { return nil }
        if let known = words.first(where: { $0.word == text }) { return known.error }
        // A word without an error would otherwise be read as a parameter's name.
        let isWord = ExpressionLexer.isName(text) && !parameters.contains(text) && !diagnostics.hasUnknownParameters
        guard isWord || (text.contains(" ") && !text.contains(where: \.isNumber)) else {
            return scalars.expression(node, "an error's number", parameters).map { .code($0) }
        }
        let known = words.map(\.word)
        let meant = Suggestion.text(for: text, in: known)
        diagnostics.report("unknown error '\(text)'\(meant), expected a number or one of: \(known.list)", at: node)
        return nil
    }
}
