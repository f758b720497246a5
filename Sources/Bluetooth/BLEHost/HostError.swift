public import BLEPackets

/// An error of a ``Host``.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The controller did not answer a command; the host has stopped.
        case commandTimedOut(HCIOpcode)
        /// The controller refused a required command; the host has stopped.
        case commandRefused(HCIOpcode, HCIErrorCode)
        /// The controller lacks a required feature; the host has stopped.
        case unsupportedController
        /// The host is not synchronized with its controller.
        case notReady
        /// The procedure is already running.
        case alreadyActive
        /// The maximum number of pairings is running.
        case tooManyPairings
        /// There is no such connection.
        case notConnected
        /// There is no bond with this peer.
        case notBonded
        /// No pairing waits for such an answer.
        case notAwaited
        /// The arguments are outside what the specification allows.
        case invalidParameters
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with what was expected and what was found; one line.
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }
}
