public import BenchModel
public import BLECentral
import BLEPackets

/// Why something that was asked of a bench, or expected of the board, did not hold.
public struct BenchFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause.
    public var cause: FailureCause
    /// The expected event or value.
    public var expected: String
    /// The event or value that occurred instead.
    public var got: String
    /// Where the fault is in the suite's file, when it is not simply the step.
    public var position: SourcePosition?
    /// The error of the central's stack, if the failure is such an error.
    public var error: CentralError?
    /// The event that came instead, where ``got`` reports one.
    public var event: BenchEvent?

    /// A failure.
    public init(_ cause: FailureCause, expected: String, got: String, position: SourcePosition? = nil) {
        self.cause = cause
        self.expected = expected
        self.got = got
        self.position = position
    }

    /// A central's failure of an operation that was expected to do `expected`.
    public init(_ error: CentralError, expected: String) {
        switch error.code {
        case .attError(let code):
            self.init(.assertion, expected: expected, got: "ATT error \(ATTErrorCode(rawValue: code))")
        case .timedOut:
            self.init(.timedOut, expected: expected, got: "no answer: \(error.detail)")
        case .disconnected(let reason):
            let reason = reason.map { "\(HCIErrorCode(rawValue: $0))" } ?? "for an unknown reason"
            self.init(.linkLost, expected: expected, got: "the link ended: \(reason)")
        case .notConnected:
            self.init(.linkLost, expected: expected, got: "no link: \(error.detail)")
        case .pairingFailed, .encryptionFailed, .notBonded:
            self.init(.assertion, expected: expected, got: error.detail)
        case .unsupported, .unavailable: self.init(.benchFault, expected: expected, got: error.detail)
        case .protocolViolation, .invalidState, .controller, .storage:
            self.init(.hostStack, expected: expected, got: error.detail)
        }
        self.error = error
    }

    /// Bytes as failures show them.
    public static func text(_ bytes: [UInt8]) -> String { ValueText.text(bytes) }

    /// One line.
    public var description: String { "expected \(expected), got \(got)" }
}
