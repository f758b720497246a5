import Inbox
import BLEPackets
import MonotonicTime
import BenchExecutor
import TCP

/// One host of an ``H4Server``, and its controller while it is connected.
actor H4Session {
    /// The most bytes read at once, so that a fast host does not starve the others.
    private static let chunk = 4096

    private nonisolated let executor: BenchExecutor
    private let connection: TCPConnection
    private let inbox: TCPInbox
    private let limits: H4Limits
    private var input: H4Input
    private var alarm: Alarm
    private let log: @Sendable (String) -> Void
    private var hasLoggedDrop = false
    /// Why the connection was closed from here: its reader may hear of that only after the server has stopped.
    private var cutOff: String?

    /// A host on `connection`; `log` receives one line when its data are discarded.
    init(
        _ connection: TCPConnection, _ inbox: TCPInbox, _ limits: H4Limits, _ executor: BenchExecutor,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.executor = executor
        self.connection = connection
        self.inbox = inbox
        self.limits = limits
        self.log = log
        input = H4Input(limits, now: executor.now)
        alarm = Alarm(executor)
    }

    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Forwards packets between the host and `port` until the host disconnects or exceeds a limit; returns the reason.
    func run(_ port: RadioPort) async -> String {
        defer {
            alarm.set(nil) {}
            connection.close()
        }
        port.setCongestion { [connection, limits] in connection.unsentCount > limits.unreadReports }
        port.setReceiver { [connection, limits] packet in connection.post(packet.h4, limit: limits.unreadBytes) }
        do {
            while true {
                try await carry(to: port)
                // Posted after the due events: the radio processes the packets before more bytes are read.
                await withCheckedContinuation { continuation in executor.post { continuation.resume() } }
            }
        } catch let fault as H4Input.Fault {
            return "cut off: \(fault)"
        } catch let error as TCPError {
            return error.detail
        } catch {
            return cutOff ?? "the server stopped"
        }
    }

    private func carry(to port: RadioPort) async throws {
        let bytes = try await inbox.read(upTo: Self.chunk, within: nil)
        var packets: [HCIPacket] = []
        try input.receive(bytes, now: executor.now, into: &packets)
        for packet in packets { port.send(packet) }
        if input.droppedCount > 0, !hasLoggedDrop {
            hasLoggedDrop = true
            log("sent isochronous data (H4 packet type 05), which no controller here carries: dropped")
        }
        alarm.set(input.nextDeadline) { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
    }

    private func wake() {
        alarm.fired()
        do {
            try input.advance(to: executor.now)
        } catch {
            let reason = "cut off: \(error)"
            cutOff = reason
            connection.close(because: reason)
        }
    }
}
