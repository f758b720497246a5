public import BLEPackets

/// Why an operation of a ``GATTClient`` failed.
public struct GATTClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The server refused.
        case attError(ATTErrorCode)
        /// No response within 30 seconds; the bearer is closed (Core 5.4, Vol 3 Part F 3.3.3).
        case timedOut
        /// The server sent what the protocol does not allow.
        case protocolViolation
        /// The bearer was closed before, by a time-out or a violation.
        case bearerClosed
        /// The connection ended.
        case disconnected(HCIErrorCode)
        /// The operation cannot be put into PDUs.
        case invalidArgument
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what came, where; one line.
    public var detail: String

    /// A fault with its one line of detail.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }

    static func violation(_ detail: String) -> GATTClientError {
        GATTClientError(.protocolViolation, detail)
    }
}
