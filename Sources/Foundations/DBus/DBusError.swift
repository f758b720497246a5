/// An error of a bus, of a connection to it, or of a peer.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The address is malformed, or of a transport that is not supported.
        case invalidAddress
        /// Nothing listens at the bus's address.
        case unreachable
        /// This user may not connect to the bus.
        case accessDenied
        /// The connection has ended.
        case disconnected
        /// The other end violated the protocol; the connection is closed.
        case protocolViolation
        /// No answer in time.
        case timedOut
        /// A message that cannot be sent.
        case invalidMessage
        /// The peer answered with an error of this name, e.g. `org.bluez.Error.Failed`.
        case remote(String)
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what came, where; for `remote` the peer's own message, which may be empty.
    public var detail: String

    /// A fault.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The name of a peer's error.
    public var name: String? {
        if case .remote(let name) = code { name } else { nil }
    }

    /// The name, if it is a peer's, and the detail.
    public var description: String {
        guard let name else { return detail }
        return detail.isEmpty ? name : "\(name): \(detail)"
    }
}
