public import BLEPackets

/// What went wrong in a ``Host``.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The controller did not answer a command; the host has stopped.
        case commandTimedOut(HCIOpcode)
        /// The controller refused a command the host cannot do without; the host has stopped.
        case commandRefused(HCIOpcode, HCIErrorCode)
        /// The controller lacks what the host needs; the host has stopped.
        case unsupportedController
        /// The host is not synchronized with its controller.
        case notReady
        /// The procedure is running already.
        case alreadyActive
        /// As many pairings run as may.
        case tooManyPairings
        /// There is no such connection.
        case notConnected
        /// There are no keys of this peer.
        case notBonded
        /// Nothing waits for such an answer.
        case notAwaited
        /// The arguments are outside what the specification allows.
        case invalidParameters
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what came; one line.
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }
}
