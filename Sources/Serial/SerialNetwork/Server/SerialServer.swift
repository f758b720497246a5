public import SerialPort
import Inbox
import TCP

/// Offers a serial port to one client at a time over TCP, raw (`socket://`) or as RFC 2217 (`rfc2217://`).
///
/// Each client opens the port again; a client that connects while the port is in use is refused with that reason. No
/// input of a client stops the server.
public final class SerialServer: Sendable {
    /// The protocol used with clients.
    public enum Transport: String, Sendable {
        /// Raw bytes.
        case socket
        /// Telnet with COM-PORT-OPTION.
        case rfc2217
    }

    /// Limits beyond which a client is disconnected.
    public struct Limits: Sendable {
        /// The most bytes in one second; more than any UART carries.
        public var bytesPerSecond: Int
        /// How long a telnet command may stay unfinished.
        public var unfinishedCommand: Duration

        /// Limits that no correct client reaches.
        public init(bytesPerSecond: Int = 16 << 20, unfinishedCommand: Duration = .seconds(5)) {
            self.bytesPerSecond = bytesPerSecond
            self.unfinishedCommand = unfinishedCommand
        }
    }

    /// The address for clients, with the actual TCP port when 0 was requested.
    public let address: PortAddress
    private let transport: Transport
    private let listener: TCPListener
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let log: @Sendable (String) -> Void

    /// Listens; clients are served while ``run(opening:)`` runs.
    ///
    /// - Parameters:
    ///   - host: the address to listen on; any address but loopback lets other machines connect.
    ///   - port: the TCP port; 0 lets the system choose.
    ///   - clock: the time of a client that waits for the port.
    ///   - log: receives one line per client that connects, disconnects, is refused or exceeds a limit; called on any
    ///     thread.
    /// - Throws: ``SerialPortError``: `addressInUse` when another program has the TCP port, otherwise `cannotListen`.
    public init(
        _ transport: Transport, host: String = "127.0.0.1", port: UInt16, limits: Limits = Limits(),
        clock: any Clock<Duration> = ContinuousClock(), log: @escaping @Sendable (String) -> Void
    ) throws(SerialPortError) {
        self.transport = transport
        self.limits = limits
        self.clock = clock
        let name = "\(transport.rawValue)://\(host):\(port)"
        self.log = { log("\(transport.rawValue): \($0)") }
        do throws(TCPError) {
            listener = try TCPListener(host: host, port: port, name: name, log: self.log)
        } catch {
            // Other errors of ports do not apply: this function only listens.
            throw SerialPortError(
                error.code == .busy ? .addressInUse : .cannotListen, port: error.name, error.detail)
        }
        address =
            switch transport {
            case .socket: .socket(host: host, port: listener.port)
            case .rfc2217: .rfc2217(host: host, port: listener.port)
            }
    }

    /// Serves clients until the task is cancelled or ``stop()`` is called; then closes every connection.
    ///
    /// - Parameter open: opens the port for one client; when it throws, the client is refused with the error's
    ///   description.
    public func run(opening open: @escaping @Sendable () async throws -> any SerialPort) async {
        await withDiscardingTaskGroup { group in
            for await client in listener.clients {
                group.addTask { await self.serve(client, open) }
            }
            group.cancelAll()
        }
        listener.close()
    }

    /// Stops listening and ends ``run(opening:)``. Idempotent.
    public func stop() {
        listener.close()
    }

    private func serve(_ client: TCPListener.Client, _ open: @Sendable () async throws -> any SerialPort) async {
        let inbox = TCPInbox(name: client.peer)
        let connection = TCPConnection(client.descriptor, name: client.peer, receiver: inbox)
        let port: any SerialPort
        do {
            port = try await Self.openWhenFree(open, clock)
        } catch {
            log("refused \(client.peer): \(error)")
            await refuse(connection, inbox, "\(error)")
            return
        }
        log("\(client.peer) connected")
        let session = ServerSession(
            connection: connection, inbox: inbox, port: port, transport: transport, limits: limits)
        log("\(client.peer) disconnected: \(await session.run())")
    }

    /// How long a client waits for a port in use, and between two attempts.
    private static let waitForPort = (total: Duration.milliseconds(500), step: Duration.milliseconds(10))

    /// Opens the port; waits a short time while it is in use: a client may reconnect before the server has processed
    /// the end of its former connection.
    private static func openWhenFree<C: Clock<Duration>>(
        _ open: () async throws -> any SerialPort, _ clock: C
    ) async throws -> any SerialPort {
        let end = clock.now.advanced(by: waitForPort.total)
        while true {
            do {
                return try await open()
            } catch let error as SerialPortError where error.code == .busy && clock.now < end {
                try await clock.sleep(for: waitForPort.step)
            }
        }
    }

    /// How long a refused client may take to read the reason and to close.
    private static let refusalTime = Duration.seconds(2)

    /// Sends the reason, and waits for the client to close: closing first may discard bytes that the client has not
    /// read.
    private func refuse(_ connection: TCPConnection, _ inbox: TCPInbox, _ reason: String) async {
        do {
            try await connection.send(Telnet.escaped(Refusal.line(reason)))
            connection.finishSending()
            let end = ContinuousClock.now.advanced(by: Self.refusalTime)
            while ContinuousClock.now < end {
                _ = try await inbox.read(upTo: 65_536, within: ContinuousClock.now.duration(to: end))
            }
        } catch {
            // The client has read the reason or closed the connection.
        }
        connection.close()
    }
}
