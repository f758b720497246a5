internal import Dispatch

/// A listening socket.
// SAFETY: the source is created in `init` and only cancelled after that, which dispatch allows from any thread.
package final class TCPListener: @unchecked Sendable {
    /// One accepted client; the consumer of ``clients`` owns the descriptor.
    package struct Client: Sendable {
        /// The connected socket.
        package let descriptor: Int32
        /// HOST:PORT of the peer.
        package let peer: String
    }

    /// The TCP port of the listening socket.
    package let port: UInt16
    /// The clients, in order, for one consumer; finishes when the listener closes. Beyond ``TCPSocket/backlog`` waiting
    /// clients, the newest are closed.
    package let clients: AsyncStream<Client>
    private let source: any DispatchSourceRead
    private let finish: AsyncStream<Client>.Continuation

    /// Listens on `port` of `host`; 0 lets the system choose. `log` gets a line when clients cannot be accepted.
    package init(host: String, port: UInt16, name: String, log: @escaping @Sendable (String) -> Void) throws(TCPError) {
        let (descriptor, actualPort) = try TCPSocket.listen(host: host, port: port, name: name)
        self.port = actualPort
        let (clients, continuation) = AsyncStream.makeStream(
            of: Client.self, bufferingPolicy: .bufferingOldest(Int(TCPSocket.backlog)))
        self.clients = clients
        finish = continuation
        let queue = DispatchQueue(label: "espbench.listener")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { TCPSocket.release(descriptor) }
        source.setEventHandler { [weak self] in
            while let result = TCPSocket.accept(descriptor) {
                switch result {
                case .success((let client, let peer)):
                    guard case .dropped = continuation.yield(Client(descriptor: client, peer: peer)) else { continue }
                    TCPSocket.release(client)
                case .failure(let fault):
                    // No free descriptor: the client stays in the backlog; retry when one may be free.
                    log("accepting a client failed: \(TCPSocket.text(fault.code))")
                    self?.retryLater(on: queue)
                    return
                }
            }
        }
        source.resume()
    }

    private func retryLater(on queue: DispatchQueue) {
        source.suspend()
        // Keeps the listener alive until then: a suspended source must be resumed before its release.
        queue.asyncAfter(deadline: .now() + .seconds(1)) { self.source.resume() }
    }

    /// Stops listening; accepted connections stay open.
    package func close() {
        source.cancel()
        finish.finish()
    }

    deinit {
        source.cancel()
    }
}
