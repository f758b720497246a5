import Inbox
internal import SerialPort
import TCP

/// One client of a ``SerialServer``: copies bytes both ways until either end closes.
final class ServerSession: Sendable {
    private let connection: TCPConnection
    private let inbox: TCPInbox
    private let port: any SerialPort
    private let transport: SerialServer.Transport
    private let limits: SerialServer.Limits

    init(
        connection: TCPConnection, inbox: TCPInbox, port: any SerialPort, transport: SerialServer.Transport,
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
        var client = TelnetClient(server: RFC2217Server(hasModemLines: port.hasModemLines))
        try await connection.send(client.server.greeting())
        while true {
            let wait = client.wait(limits)
            let bytes = try await inbox.read(upTo: 16_384, within: wait)
            guard !bytes.isEmpty else {
                try await perform(client.resets.settle())
                if !client.server.isInsideCommand { continue }
                throw limitExceeded("a telnet command was left unfinished for \(limits.unfinishedCommand)")
            }
            try admit(bytes.count, &gate)
            let actions: [RFC2217Server.Action]
            do {
                actions = try client.server.receive(bytes)
            } catch {
                throw limitExceeded(
                    "expected a telnet subnegotiation of at most \(error.limit) bytes, got a longer one")
            }
            for action in actions { try await perform(action, &client) }
        }
    }

    /// The state of an RFC 2217 client.
    private struct TelnetClient {
        var server: RFC2217Server
        var resets = ResetRecognizer()
        var rate = SerialSettings.default.baudRate

        /// How long to wait for the client; `nil` waits without limit.
        func wait(_ limits: SerialServer.Limits) -> Duration? {
            if server.isInsideCommand { return limits.unfinishedCommand }
            return resets.deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
        }
    }

    private func admit(_ count: Int, _ gate: inout FloodGate<ContinuousClock.Instant>) throws {
        do {
            try gate.admit(count, now: ContinuousClock.now)
        } catch {
            throw limitExceeded("\(error)")
        }
    }

    private func perform(_ action: RFC2217Server.Action, _ client: inout TelnetClient) async throws {
        switch action {
        case .data(let data):
            try await perform(client.resets.settle())
            try await port.write(data)
        case .reply(let reply):
            try await connection.send(reply)
        case .setBaudRate(let wanted):
            do {
                try await port.configure(SerialSettings(baudRate: wanted))
                client.rate = wanted
            } catch let error as SerialPortError where error.code == .unsupported {
                // The answer states the rate that is kept.
            }
            try await connection.send(RFC2217Server.baudRateAnswer(client.rate))
        case .reportBaudRate:
            try await connection.send(RFC2217Server.baudRateAnswer(client.rate))
        case .setModemLines(let lines, let changed, let reply):
            let isBoth = changed == [.dtr, .rts]
            try await perform(client.resets.change(to: lines, isBoth: isBoth, at: ContinuousClock.now))
            try await connection.send(reply)
        case .discardInput(let reply):
            try await port.discardInput()
            try await connection.send(reply)
        }
    }

    private func perform(_ actions: [ResetRecognizer.Action]) async throws {
        for action in actions {
            switch action {
            case .lines(let lines): try await port.setModemLines(lines)
            case .resetIntoLoader: try await LocalReset.intoLoader(port)
            case .hardReset: try await ResetSequence.reset(port, intoLoader: false)
            }
        }
    }

    private func limitExceeded(_ detail: String) -> SerialPortError {
        SerialPortError(.disconnected, port: connection.name, "cut off: \(detail)")
    }
}
