package import Inbox

/// The inbox of a connection.
package typealias TCPInbox = ByteInbox<TCPError>

extension ByteInbox: TCPReceiver where Failure == TCPError {
    /// An inbox of the connection called `name`.
    package convenience init(name: String) {
        self.init(secondReader: TCPError(.busy, name: name, Self.secondReaderText))
    }

    /// This inbox.
    package var inbox: TCPInbox { self }

    /// Buffers bytes; sends no answer.
    package func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
        append(bytes)
        return []
    }
}
