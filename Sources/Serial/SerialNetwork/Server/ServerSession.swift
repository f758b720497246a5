import SerialPort
import TCP

/// One client of a ``SerialServer``: copies bytes both ways until either end closes.
final class ServerSession: Sendable {
    private let connection: TCPConnection
    private let inbox: ByteInbox
    private let port: any SerialPort
    private let transport: SerialServer.Transport
    private let limits: SerialServer.Limits

    init(
        connection: TCPConnection, inbox: ByteInbox, port: any SerialPort, transport: SerialServer.Transport,
        limits: SerialServer.Limits
    ) {
        self.connection = connection
        self.inbox = inbox
        self.port = port
        self.transport = transport
        self.limits = limits
    }

    /// Serves the client; returns why it ended.
    func run() async -> String {
        let reason = await withTaskGroup(of: String.self) { group in
            group.addTask { await self.reason { try await self.forwardToPort() } }
            group.addTask { await self.reason { try await self.forwardToClient() } }
            let reason = await group.next() ?? "ended"
            await self.port.close()
            self.connection.close()
            group.cancelAll()
            return reason
        }
        return reason
    }

    private func reason(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "ended"
        } catch let error as SerialPortError {
            return error.detail
        } catch let error as TCPError {
            return error.detail
        } catch is CancellationError {
            return "the server stopped"
        } catch {
            return "\(error)"
        }
    }

    private func forwardToClient() async throws {
        while true {
            let bytes = try await port.read(upTo: 16_384, within: nil)
            try await connection.send(transport == .rfc2217 ? Telnet.escaped(bytes) : bytes)
        }
    }

    private func forwardToPort() async throws {
        var gate = FloodGate(bytesPerSecond: limits.bytesPerSecond, now: ContinuousClock.now)
        switch transport {
        case .socket:
            while true {
                let bytes = try await inbox.read(upTo: 16_384, within: nil)
                try admit(bytes.count, &gate)
                try await port.write(bytes)
            }
        case .rfc2217:
            try await forwardTelnet(&gate)
        }
    }

    private func forwardTelnet(_ gate: inout FloodGate<ContinuousClock.Instant>) async throws {
        var server = RFC2217Server()
        var rate = SerialSettings.default.baudRate
        try await connection.send(server.greeting())
        while true {
            let limit = server.isInsideCommand ? limits.unfinishedCommand : nil
            let bytes = try await inbox.read(upTo: 16_384, within: limit)
            guard !bytes.isEmpty else {
                throw limitExceeded("a telnet command was left unfinished for \(limits.unfinishedCommand)")
            }
            try admit(bytes.count, &gate)
            let actions: [RFC2217Server.Action]
            do {
                actions = try server.receive(bytes)
            } catch {
                throw limitExceeded(
                    "expected a telnet subnegotiation of at most \(error.limit) bytes, got a longer one")
            }
            for action in actions { try await perform(action, &rate) }
        }
    }

    private func admit(_ count: Int, _ gate: inout FloodGate<ContinuousClock.Instant>) throws {
        do {
            try gate.admit(count, now: ContinuousClock.now)
        } catch {
            throw limitExceeded("\(error)")
        }
    }

    private func perform(_ action: RFC2217Server.Action, _ rate: inout Int) async throws {
        switch action {
        case .data(let data):
            try await port.write(data)
        case .reply(let reply):
            try await connection.send(reply)
        case .setBaudRate(let wanted):
            do {
                try await port.configure(SerialSettings(baudRate: wanted))
                rate = wanted
            } catch let error as SerialPortError where error.code == .unsupported {
                // The answer states the rate that is kept.
            }
            try await connection.send(RFC2217Server.baudRateAnswer(rate))
        case .reportBaudRate:
            try await connection.send(RFC2217Server.baudRateAnswer(rate))
        case .setModemLines(let lines, _, let reply):
            try await port.setModemLines(lines)
            try await connection.send(reply)
        case .discardInput(let reply):
            try await port.discardInput()
            try await connection.send(reply)
        }
    }

    private func limitExceeded(_ detail: String) -> SerialPortError {
        SerialPortError(.disconnected, port: connection.name, "cut off: \(detail)")
    }
}
