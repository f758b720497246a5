public import BLECore
public import BLERadio
public import BenchExecutor
import TCP

/// Offers controllers on a ``Radio`` to hosts over TCP, with the H4 protocol: e.g. `tcp-client:` in Bumble.
///
/// Each connection gets its own controller, which is removed when the connection ends. A server with an address has
/// only one controller, with this address, so that a host's bonds stay valid: it serves one host at a time and refuses
/// others. No input of a host can stop the server or other hosts.
public final class H4Server: Sendable {
    /// The server could not listen.
    public struct ListenError: Error, CustomStringConvertible {
        /// The operation and its failure; one line.
        public let description: String
    }

    /// The TCP port of the listening socket.
    public let port: UInt16
    private let radio: Radio
    private let personality: ControllerPersonality
    private let address: DeviceAddress?
    private let addresses: ControllerAddresses
    private let occupancy: H4Occupancy
    private let limits: H4Limits
    private let listener: TCPListener
    private let log: @Sendable (String) -> Void
    private let executor: BenchExecutor

    /// Listens; hosts are served while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - personality: the personality of the controllers.
    ///   - address: the address of the only controller, reserved by the caller; `nil`: each host gets a controller with
    ///     the lowest free address.
    ///   - addresses: shared by the servers of one radio.
    ///   - host: the address to listen on; any address but loopback admits other machines.
    ///   - port: the TCP port; 0 lets the system choose.
    ///   - log: receives one line per host that connects, disconnects or exceeds a limit; called on any thread.
    public init(
        _ radio: Radio, _ executor: BenchExecutor, personality: ControllerPersonality, address: DeviceAddress? = nil,
        addresses: ControllerAddresses, host: String = "127.0.0.1", port: UInt16, limits: H4Limits = H4Limits(),
        log: @escaping @Sendable (String) -> Void
    ) throws(ListenError) {
        self.radio = radio
        self.executor = executor
        self.personality = personality
        self.address = address
        self.addresses = addresses
        occupancy = H4Occupancy(executor, patience: limits.formerHost)
        self.limits = limits
        self.log = { log("h4: \($0)") }
        do throws(TCPError) {
            listener = try TCPListener(host: host, port: port, name: "h4://\(host):\(port)", log: self.log)
        } catch {
            throw ListenError(description: error.description)
        }
        self.port = listener.port
    }

    /// Serves hosts until the task is cancelled or ``stop()`` is called; then closes every connection. Must run on the
    /// bench's executor.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await client in listener.clients {
                group.addTask { await self.serve(client) }
            }
            occupancy.close()
            group.cancelAll()
        }
        listener.close()
    }

    /// Stops listening and ends ``run()``. Idempotent.
    public func stop() {
        listener.close()
    }

    private func serve(_ client: TCPListener.Client) async {
        let inbox = TCPInbox(name: client.peer)
        let connection = TCPConnection(client.descriptor, name: client.peer, receiver: inbox)
        if let address {
            guard await occupancy.enter() else {
                connection.close()
                return log("\(client.peer) refused: controller \(address) is in use, and this port has only one")
            }
            await serve(client.peer, connection, inbox, address)
            return occupancy.leave()
        }
        let address = addresses.allocate()
        await serve(client.peer, connection, inbox, address)
        addresses.release(address)
    }

    private func serve(
        _ peer: String, _ connection: TCPConnection, _ inbox: TCPInbox, _ address: DeviceAddress
    ) async {
        let port = await radio.attach(address: address, personality: personality)
        log("\(peer) connected: controller \(address)")
        let session = H4Session(connection, inbox, limits, executor) { [log] in log("\(peer) \($0)") }
        let reason = await session.run(port)
        await radio.detach(port)
        log("\(peer) disconnected: \(reason)")
    }
}
