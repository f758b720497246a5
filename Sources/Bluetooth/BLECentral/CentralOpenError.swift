/// Why the Bluetooth stack that a ``CentralAddress`` names could not be opened.
public struct CentralOpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Hashable, Sendable {
        /// There is no such tty or host, or no program listens there.
        case notFound
        /// It exists, and this user may not use it.
        case accessDenied
        /// Another program uses it.
        case busy
        /// This system has no such stack, or the tty lacks the rate.
        case unsupported
        /// The operating system refused, for another reason.
        case system
    }

    /// The kind of fault.
    public var code: Code
    /// The address that was opened.
    public var address: CentralAddress
    /// What was being done and what happened instead; one line.
    public var detail: String

    /// An error of opening `address`.
    public init(_ code: Code, _ address: CentralAddress, _ detail: String) {
        self.code = code
        self.address = address
        self.detail = detail
    }

    /// One line: the address and the detail.
    public var description: String { "\(address): \(detail)" }
}
