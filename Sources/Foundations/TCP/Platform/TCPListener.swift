internal import Dispatch

/// A listening socket.
// SAFETY: the source is made in `init` and only cancelled after that, which dispatch allows from any thread.
package final class TCPListener: @unchecked Sendable {
    /// One accepted client; whoever takes it owns the descriptor.
    package struct Client: Sendable {
        /// The connected socket.
        package let descriptor: Int32
        /// HOST:PORT of the other end.
        package let peer: String
    }

    /// The port that is listened on.
    package let port: UInt16
    /// The clients, in order; finishes when the listener closes. One consumer; of more than ``TCPSocket/backlog`` that
    /// wait, the last are let go.
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
                    // Out of descriptors: the client still waits, so come back when some may be free.
                    log("accepting a client failed: \(TCPSocket.text(fault.code))")
                    self?.rest(on: queue)
                    return
                }
            }
        }
        source.resume()
    }

    private func rest(on queue: DispatchQueue) {
        source.suspend()
        // Holds the listener for that second: a suspended source must be resumed before it goes.
        queue.asyncAfter(deadline: .now() + .seconds(1)) { self.source.resume() }
    }

    /// Stops listening; connections that were accepted go on.
    package func close() {
        source.cancel()
        finish.finish()
    }

    deinit {
        source.cancel()
    }
}
