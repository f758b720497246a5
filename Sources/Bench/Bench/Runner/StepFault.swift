import BLECentral
import BLEPackets
import BenchModel

/// Why a step did not hold, before the runner adds where and when.
struct StepFault: Error {
    var cause: FailureCause
    var expected: String
    var got: String
    /// Where the fault is in the suite, when it is not simply the step.
    var position: SourcePosition?

    init(_ cause: FailureCause, expected: String, got: String, position: SourcePosition? = nil) {
        self.cause = cause
        self.expected = expected
        self.got = got
        self.position = position
    }

    init(_ error: EvaluationError) {
        self.init(.benchFault, expected: "a value", got: error.message, position: error.position)
    }

    /// A central's failure of an operation that was expected to do `expected`.
    init(_ error: CentralError, expected: String) {
        switch error.code {
        case .attError(let code):
            self.init(.assertion, expected: expected, got: "ATT error \(ATTErrorCode(rawValue: code))")
        case .timedOut:
            self.init(.linkLost, expected: expected, got: "no answer: \(error.detail)")
        case .disconnected(let reason):
            let reason = reason.map { "\(HCIErrorCode(rawValue: $0))" } ?? "for an unknown reason"
            self.init(.linkLost, expected: expected, got: "the link ended: \(reason)")
        case .notConnected:
            self.init(.linkLost, expected: expected, got: "no link: \(error.detail)")
        case .pairingFailed, .encryptionFailed, .notBonded:
            self.init(.assertion, expected: expected, got: error.detail)
        case .protocolViolation, .invalidState, .controller, .storage, .unsupported, .unavailable:
            self.init(.hostStack, expected: expected, got: error.detail)
        }
    }
}
