package import Inbox

/// An error of a TCP connection or listener.
package struct TCPError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    package enum Code: Sendable {
        /// The host does not exist, or no program listens on the port.
        case notFound
        /// This user may not listen on the port.
        case accessDenied
        /// Another program listens on the port, or another reader waits.
        case busy
        /// The connection is closed.
        case disconnected
        /// The operating system refused for another reason.
        case system
    }

    /// The kind of fault.
    package var code: Code
    /// The name of the connection or listener.
    package var name: String
    /// The operation and the failure, one line.
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

/// Limits a client's bytes per second, by the caller's clock.
package struct FloodGate<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// The client sent more than the limit.
    package struct Overflow: Error, CustomStringConvertible {
        private let limit: Int
        private let count: Int

        fileprivate init(limit: Int, count: Int) {
            self.limit = limit
            self.count = count
        }

        /// One line.
        package var description: String { "expected at most \(limit) bytes in a second, got \(count)" }
    }

    private let bytesPerSecond: Int
    private var windowStart: Instant
    private var count = 0

    /// A gate that admits `bytesPerSecond`, starting at `now`.
    package init(bytesPerSecond: Int, now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        windowStart = now
    }

    /// Counts bytes received at `now`.
    package mutating func admit(_ bytes: Int, now: Instant) throws(Overflow) {
        if windowStart.duration(to: now) >= .seconds(1) {
            windowStart = now
            count = 0
        }
        count += bytes
        guard count <= bytesPerSecond else { throw Overflow(limit: bytesPerSecond, count: count) }
    }
}

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
