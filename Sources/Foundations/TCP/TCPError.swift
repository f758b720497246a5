/// An error of a TCP connection or listener.
package struct TCPError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    package enum Code: Sendable {
        /// There is no such host, or no program listens there.
        case notFound
        /// This user may not listen there.
        case accessDenied
        /// Another program listens there, or another reader waits.
        case busy
        /// The connection is closed.
        case disconnected
        /// The operating system refused, for another reason.
        case system
    }

    /// The kind of fault.
    package var code: Code
    /// The name of the connection or listener.
    package var name: String
    /// What was being done and what happened instead, one line.
    package var detail: String

    /// An error of the connection or listener called `name`.
    package init(_ code: Code, name: String, _ detail: String) {
        self.code = code
        self.name = name
        self.detail = detail
    }

    /// One line: the name and the detail.
    package var description: String { "\(name): \(detail)" }
}
