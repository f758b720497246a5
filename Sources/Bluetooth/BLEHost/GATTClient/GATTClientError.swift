public import BLEPackets

/// Why an operation of a ``GATTClient`` failed.
public struct GATTClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The server refused the request.
        case attError(ATTErrorCode)
        /// No response within 30 seconds; the bearer is closed (Core 5.4, Vol 3 Part F 3.3.3).
        case timedOut
        /// The server violated the protocol.
        case protocolViolation
        /// The bearer had been closed after a time-out or a violation.
        case bearerClosed
        /// The connection ended.
        case disconnected(HCIErrorCode)
        /// The arguments do not fit into a PDU.
        case invalidArgument
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with what was expected, what was received, and where; one line.
    public var detail: String

    /// An error with one line of detail.
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
