public import BenchModel
public import BLECentral
import BLEPackets

/// Why an operation of a bench, or an expectation of the board, failed.
public struct BenchFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause.
    public var cause: FailureCause
    /// The expected event or value.
    public var expected: String
    /// The event or value that occurred instead.
    public var got: String
    /// The fault's position in the suite's file, if it is more exact than the step's.
    public var position: SourcePosition?
    /// The error of the central's stack, if it caused the failure.
    public var error: CentralError?
    /// The event that occurred instead, if ``got`` reports one.
    public var event: BenchEvent?

    /// A failure.
    public init(_ cause: FailureCause, expected: String, got: String, position: SourcePosition? = nil) {
        self.cause = cause
        self.expected = expected
        self.got = got
        self.position = position
    }

    /// The failure of a central's operation; `expected` describes the expected outcome.
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

    /// The failure on one line.
    public var description: String { "expected \(expected), got \(got)" }
}
