import BenchExecutor
package import BLEPackets
import BLERadio
import Inbox
package import MonotonicTime
import Synchronization
import TCP

/// One host of an ``H4Server``, and its controller while it is connected.
actor H4Session {
    /// The maximum number of bytes read at once, so that a fast host does not starve the others.
    private static let chunk = 4096

    private nonisolated let executor: BenchExecutor
    private let connection: TCPConnection
    private let inbox: TCPInbox
    private let limits: H4Limits
    private var input: H4Input
    private var alarm: Alarm
    private let log: @Sendable (String) -> Void
    private var hasLoggedDrop = false
    /// Why the server closed the connection; the reading task may detect the closing only after the server has stopped.
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
            alarm.cancel()
            connection.close()
        }
        port.setCongestion { [connection, limits] in connection.unsentCount > limits.unreadReports }
        port.setReceiver { [connection, limits] packet in connection.post(packet.h4, limit: limits.unreadBytes) }
        do {
            while true {
                try await carry(to: port)
                // This event runs after the due events: the radio processes the packets before more bytes are read.
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
        alarm.set(input.nextDeadline, { [weak self] in self?.assumeIsolated { $0.wake() } })
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

/// Parses a host's H4 stream, and enforces limits.
package struct H4Input: Sendable {
    /// Why a host is disconnected.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        /// The expected and the received bytes.
        package let description: String
    }

    private let limits: H4Limits
    private var parser = H4Parser()
    private var gate: FloodGate<MonotonicInstant>
    /// The deadline for completing the current packet.
    package private(set) var nextDeadline: MonotonicInstant?
    /// The number of discarded isochronous data packets.
    package var droppedCount: Int { parser.droppedCount }

    /// The input of a host that connected at `now`.
    package init(_ limits: H4Limits, now: MonotonicInstant) {
        self.limits = limits
        gate = FloodGate(bytesPerSecond: limits.bytesPerSecond, now: now)
    }

    /// Receives bytes at `now`, and appends the packets that they complete to `packets`.
    package mutating func receive(
        _ bytes: [UInt8], now: MonotonicInstant, into packets: inout [HCIPacket]
    ) throws(Fault) {
        let former = parser.packetCount
        do {
            try gate.admit(bytes.count, now: now)
            try parser.parse(bytes, into: &packets)
        } catch {
            throw Fault(description: "\(error)")
        }
        if !parser.isInsidePacket {
            nextDeadline = nil
        } else if nextDeadline == nil || parser.packetCount > former {
            // Further bytes of the same packet do not extend its deadline.
            nextDeadline = now.advanced(by: limits.unfinishedPacket)
        }
    }

    /// Advances the time.
    package func advance(to now: MonotonicInstant) throws(Fault) {
        guard let nextDeadline, nextDeadline <= now else { return }
        throw Fault(
            description: "expected a whole HCI packet within \(limits.unfinishedPacket), got the beginning of one")
    }
}

/// Limits beyond which a host is disconnected.
public struct H4Limits: Sendable {
    /// The maximum number of bytes in one second; more than any UART transfers.
    public var bytesPerSecond: Int
    /// How long a packet may stay incomplete.
    public var unfinishedPacket: Duration
    /// The maximum number of unread bytes, not counting the system's buffers.
    public var unreadBytes: Int
    /// The number of unread bytes, not counting the system's buffers, beyond which a host gets no advertising reports
    /// but stays connected.
    public var unreadReports: Int
    /// The maximum time for which a host waits for the previous host to leave a controller with a fixed address.
    public var formerHost: Duration

    /// Limits; by default ones that no correct host reaches.
    public init(
        bytesPerSecond: Int = 16 << 20, unfinishedPacket: Duration = .seconds(5), unreadBytes: Int = 1 << 20,
        unreadReports: Int = 4096, formerHost: Duration = .seconds(1)
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.unfinishedPacket = unfinishedPacket
        self.unreadBytes = unreadBytes
        self.unreadReports = unreadReports
        self.formerHost = formerHost
    }
}

/// Admits one host at a time to the controller of an ``H4Server`` that has only one.
///
/// A host may reconnect before the end of its previous connection is detected: it waits a limited time for this end.
final class H4Occupancy: Sendable {
    private struct State {
        var isTaken = false
        var isClosed = false
        /// The waiting hosts, in order, with their numbers.
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var count = 0
    }

    private let executor: BenchExecutor
    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameter patience: the maximum waiting time of a host.
    init(_ executor: BenchExecutor, patience: Duration) {
        self.executor = executor
        self.patience = patience
    }

    /// Reserves the controller for a host; waits while another host has it.
    ///
    /// - Returns: true if the host has the controller; then ``leave()`` must follow.
    func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                guard state.isTaken, !state.isClosed else {
                    continuation.resume(returning: !state.isClosed)
                    state.isTaken = true
                    return nil
                }
                state.count += 1
                state.waiting.append((state.count, continuation))
                return state.count
            }
            guard let number else { return }
            executor.schedule(at: executor.now.advanced(by: patience)) { self.refuse(number) }
        }
    }

    /// Frees the controller for the next host.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    /// Refuses all waiting and future hosts.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for host in waiting { host.continuation.resume(returning: false) }
    }

    private func refuse(_ number: Int) {
        let refused = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        refused?.resume(returning: false)
    }
}
