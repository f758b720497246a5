import BLEPackets
import MonotonicTime
import BenchExecutor
import TCP

/// One host of an ``H4Server``, and the controller it has while it is connected.
actor H4Session {
    /// How much is taken at once, so that a host in a hurry leaves time to the others.
    private static let chunk = 4096

    private nonisolated let executor: BenchExecutor
    private let connection: TCPConnection
    private let inbox: ByteInbox
    private let limits: H4Limits
    private var input: H4Input
    private var alarm: Alarm
    private let log: @Sendable (String) -> Void
    private var hasLoggedDrop = false

    /// A host behind `connection`; `log` gets a line where it sends what is dropped, once.
    init(
        _ connection: TCPConnection, _ inbox: ByteInbox, _ limits: H4Limits, _ executor: BenchExecutor,
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

    /// Carries packets between the host and `port` until the host goes or is cut off; returns why.
    func run(_ port: RadioPort) async -> String {
        defer {
            alarm.set(nil) {}
            connection.close()
        }
        port.setReceiver { [connection, limits] packet in connection.post(packet.h4, limit: limits.unreadBytes) }
        do {
            while true {
                try await carry(to: port)
                // An event behind those that are due: the radio takes what was sent before more is read.
                await withCheckedContinuation { continuation in executor.post { continuation.resume() } }
            }
        } catch let fault as H4Input.Fault {
            return "cut off: \(fault)"
        } catch let error as TCPError {
            return error.detail
        } catch {
            return "the server stopped"
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
            connection.close(because: "cut off: \(error)")
        }
    }
}
