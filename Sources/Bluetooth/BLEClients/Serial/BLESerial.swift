import BenchExecutor
public import BLECentral
import BLECore
import Inbox
internal import MonotonicTime

/// A serial line over Bluetooth LE: finds the board, keeps a connection, sends and receives bytes.
///
/// Bytes not yet sent when a connection is lost are sent over the next one; so are unconfirmed bytes if the board
/// numbers its bytes (`Firmware/SerialBridge`). Losses in transit and of unread bytes are reported: see
/// ``BLESerialEvent``.
public actor BLESerial {
    /// Limit of bytes waiting to be sent; ``send(_:)`` waits while it is reached.
    public static let sendLimit = 65_536
    /// Limit of unread received bytes, plus a chunk; later ones are dropped and reported.
    public static let receiveLimit = ByteInbox<CentralError>.limit
    /// Limit of unread events per listener; beyond it, the oldest are dropped.
    public static let eventBufferSize = 64
    /// The requested MTU: it fills the packets of the link layer.
    public static let mtu = BLESerialSender.maximumChunk + 3

    nonisolated let central: Central
    private let policy: ReconnectionPolicy
    private let isWanted: @Sendable (Advertisement) -> Bool
    private lazy var connection = ClientConnection(central, policy, isWanted: isWanted) { [weak self] peripheral in
        try await self?.setUp(peripheral)
    } tell: { [weak self] link in
        await self?.follow(link)
    } ended: { [weak self] in
        await self?.connectionIsOver()
    }
    private var listeners: [AsyncStream<BLESerialEvent>.Continuation] = []
    var sender: BLESerialSender
    var count = BLESerialCounters()
    private var inbox = BLESerial.makeInbox()
    /// The number of received bytes dropped since the last read.
    private var overflow = 0
    /// The last status of a board that counts.
    var lastStatus: BLESerialStatus?
    /// True if the board has sent no status for too long.
    var isStatusLate = false
    /// The number of impossible reports of the board in a row.
    var disbelief = 0
    /// The received position in the stream of a board that numbers its bytes, and whether the connected board does so.
    var receiver = BLESerialReceiver()
    var isAcknowledging = false
    /// True if an acknowledgement is due.
    var mustAcknowledge = false
    var acknowledgement: BenchExecutor.Event?
    /// The task that transfers the bytes of one connection.
    var transfer: Task<Void, Never>?
    /// True while connected or connecting.
    private var isActive = false
    /// The error that ended the connection, if any.
    private var failure: CentralError?

    var work = WaitList()
    var room = WaitList()
    var sent = WaitList()
    var acknowledgements = WaitList()

    /// The connection.
    public private(set) var link = ClientLink.disconnected

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// A serial line.
    ///
    /// - Parameters:
    ///   - central: need not be powered on yet.
    ///   - pace: the rate at which the board can take bytes.
    ///   - policy: the rules for connecting again.
    ///   - isWanted: true for an advertisement of the board; the first match is used.
    public init(
        _ central: Central, pace: BLESerialPace = BLESerialPace(), policy: ReconnectionPolicy = ReconnectionPolicy(),
        isWanted: @escaping @Sendable (Advertisement) -> Bool = \.offersSerial
    ) {
        self.central = central
        self.policy = policy
        self.isWanted = isWanted
        sender = BLESerialSender(pace)
    }

    private static func makeInbox() -> ByteInbox<CentralError> {
        ByteInbox(secondReader: CentralError(.invalidState, "read: \(ByteInbox<CentralError>.secondReaderText)"))
    }

    /// The events from now on, beginning with the state of the connection. Keeps the newest ``eventBufferSize``.
    public func events() -> AsyncStream<BLESerialEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BLESerialEvent.self, bufferingPolicy: .bufferingNewest(Self.eventBufferSize))
        continuation.yield(.link(link))
        listeners.append(continuation)
        return stream
    }

    /// The counts of bytes.
    public var counters: BLESerialCounters {
        var result = count
        result.queued = sender.queued
        return result
    }

    /// Finds the board and connects; does nothing if it is already searching or connected.
    public func connect() async {
        if !isActive {
            isActive = true
            failure = nil
            inbox = Self.makeInbox()
        }
        await connection.connect()
    }

    /// Ends the connection, or the search for one. Discards unsent bytes: call ``waitUntilSent()`` first.
    public func disconnect() async { await connection.disconnect() }

    // MARK: Bytes

    /// Queues bytes for sending, also while reconnecting; waits while ``sendLimit`` is reached. The bytes of concurrent
    /// calls are mixed if they do not fit.
    ///
    /// - Throws: `notConnected` if not connected, with no further attempt; `invalidState` if the calling task is
    ///   cancelled, with the number of bytes queued.
    public func send(_ bytes: [UInt8]) async throws(CentralError) {
        var rest = bytes[...]
        while true {
            try checkIsActive("send")
            let part = rest.prefix(max(0, Self.sendLimit - sender.queued))
            sender.append(part)
            rest = rest.dropFirst(part.count)
            if !part.isEmpty { work.release() }
            guard !rest.isEmpty else { return }
            for await _ in room.join() {}
            guard !Task.isCancelled else {
                throw CentralError(
                    .invalidState, "send: cancelled, \(bytes.count - rest.count) of \(bytes.count) bytes were taken")
            }
        }
    }

    /// Waits until all bytes are sent, and the board has confirmed them.
    ///
    /// - Throws: the errors of ``send(_:)``; `disconnected` if a connection ended with unconfirmed bytes, and the board
    ///   cannot report whether it received them.
    public func waitUntilSent() async throws(CentralError) {
        let lost = count.unconfirmed
        while sender.queued > 0 || sender.unconfirmed > 0 {
            try checkIsActive("wait until all is sent")
            for await _ in sent.join() {}
            if Task.isCancelled { throw CentralError(.invalidState, "wait until all is sent: cancelled") }
        }
        guard count.unconfirmed == lost else {
            throw CentralError(
                .disconnected(reason: nil),
                "wait until all is sent: \(count.unconfirmed - lost) bytes were on their way when the connection ended, and the board "
                    + "may have lost them")
        }
    }

    private func checkIsActive(_ operation: String) throws(CentralError) {
        guard !isActive else { return }
        throw failure.map { CentralError($0, during: operation) }
            ?? CentralError(.notConnected, "\(operation): there is no connection to a board, and none is tried")
    }

    /// The received bytes, at most `maximum`; waits for the first. One reader at a time.
    ///
    /// - Parameter timeout: the longest wait, in real time; then the result is empty. `nil`: no limit.
    /// - Throws: `CentralError`, when all bytes were read and no connection will follow; `CancellationError`.
    public func read(upTo maximum: Int = 65_536, within timeout: Duration? = nil) async throws -> [UInt8] {
        let bytes = try await inbox.read(upTo: maximum, within: timeout)
        endOverflow()
        if mustAcknowledge { acknowledgements.release() }
        return bytes
    }

    /// The received bytes, in chunks as they arrive, for one reader at a time; ends with an error when no connection
    /// will follow. Unread bytes are kept up to ``receiveLimit``.
    public nonisolated var received: AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { try await self.read() }
    }

    /// Drops the unread received bytes.
    public func discardReceived() {
        try? inbox.discard()
        endOverflow()
        if mustAcknowledge { acknowledgements.release() }
    }

    func receive(_ bytes: [UInt8]) {
        count.received += bytes.count
        // A board that gets no acknowledgement stops sending.
        guard inbox.isFull, !isAcknowledging else {
            inbox.append(bytes)
            return
        }
        if overflow == 0 { tell(.overflowBegan) }
        overflow += bytes.count
        count.overflow += bytes.count
    }

    /// True if nothing more should be received.
    var isFull: Bool { inbox.isFull }

    /// There is room again: reports how many bytes were dropped.
    private func endOverflow() {
        guard overflow > 0, !inbox.isFull else { return }
        tell(.overflow(overflow))
        overflow = 0
    }

    // MARK: The connection

    private func follow(_ new: ClientLink) {
        var new = new
        if new == .disconnected, let failure { new = .failed(failure.detail) }
        guard new != link else { return }
        link = new
        tell(.link(new))
    }

    /// Ends the connection because of an error other than its loss.
    func fail(_ error: CentralError) {
        switch error.code {
        case .disconnected, .notConnected: return
        default: break
        }
        guard !Task.isCancelled else { return }
        failure = error
        Task(executorPreference: central.executor) { await self.connection.disconnect() }
    }

    /// No further connection is made.
    private func connectionIsOver() async {
        await endTransfer()
        isActive = false
        // Whoever waits gets an error now, and then asks why.
        if failure != nil { follow(.disconnected) }
        let (unsent, lost) = sender.removeAll()
        unconfirmed(lost)
        count.unsent += unsent
        if unsent > 0 { tell(.unsent(unsent)) }
        tell(.over)
        inbox.finish(
            failure ?? CentralError(.notConnected, "read: there is no connection to a board: \(link.text("board"))"))
        work.release()
        room.release()
        sent.release()
    }

    func tell(_ event: BLESerialEvent) {
        listeners.removeAll { listener in
            if case .terminated = listener.yield(event) { true } else { false }
        }
    }
}

/// An event of a serial line over Bluetooth LE.
public enum BLESerialEvent: Sendable, Hashable {
    /// The state of the connection has changed.
    case link(ClientLink)
    /// Ready to transfer bytes: the peer, its name if known, the service, and the longest chunk in bytes.
    case opened(PeerID, name: String?, BLESerialService, chunk: Int)
    /// The connection ended with this many bytes unconfirmed: the board may have received them; they are not sent
    /// again.
    case unconfirmed(Int)
    /// ``BLESerial/receiveLimit`` bytes are unread: further bytes are dropped.
    case overflowBegan
    /// Reading has continued; this many received bytes were dropped.
    case overflow(Int)
    /// A board that counts has lost this many bytes: those written to it, and those received by its UART.
    case boardLost(fromClient: Int, fromUART: Int)
    /// No connection will follow: this many bytes were not sent.
    case unsent(Int)
    /// Disconnected, with no further attempt.
    case over
}

/// The counts of bytes since the beginning.
public struct BLESerialCounters: Sendable, Hashable {
    /// Bytes that the board has confirmed.
    public internal(set) var sent = 0
    /// Bytes that wait to be sent.
    public internal(set) var queued = 0
    /// Bytes that were unconfirmed when a connection ended.
    public internal(set) var unconfirmed = 0
    /// Bytes that were discarded unsent.
    public internal(set) var unsent = 0
    /// Bytes that were received, including dropped ones.
    public internal(set) var received = 0
    /// Bytes that were received, and dropped unread.
    public internal(set) var overflow = 0
    /// The number of connections.
    public internal(set) var connections = 0
}

/// The report of a board on the bytes it has passed on and lost: the characteristic FFE2 of `Firmware/SerialBridge`,
/// little-endian. Bytes for boards without it are paced.
package struct BLESerialStatus: Hashable {
    /// The characteristic, in the service of the serial line.
    static let uuid = BLEUUID(0xFFE2)
    /// The shortest value; later bytes are ignored.
    private static let length = 20

    /// Bytes of this connection that the board has passed on to its UART, modulo 2³²; while bytes of former connections
    /// are in its buffer, it is negative by their number.
    var sent: UInt32
    /// Limit of bytes written and not yet passed on.
    var capacity: Int
    /// Bytes that were written to the full buffer and lost, since the board's power-on.
    var lostFromClient: UInt32
    /// Bytes from the UART that were lost because the buffer was full, since the board's power-on.
    var lostFromUART: UInt32

    /// Reads a value; `nil` if it is too short, or has no capacity.
    package init?(_ value: [UInt8]) {
        guard value.count >= Self.length else { return nil }
        sent = value.littleEndian(at: 0)
        capacity = Int(min(value.littleEndian(at: 4), UInt32(BLESerialPace.windows.upperBound)))
        lostFromClient = value.littleEndian(at: 8)
        lostFromUART = value.littleEndian(at: 12)
        guard capacity > 0 else { return nil }
    }

    /// The number of bytes of former connections still in the board's buffer.
    var former: Int {
        let count = 0 &- sent
        return count <= UInt32(capacity) ? Int(count) : 0
    }

    /// The increase of a loss counter; if it is smaller than before, the board has restarted it.
    static func growth(_ new: UInt32, since old: UInt32) -> Int { Int(new >= old ? new - old : new) }
}

/// The positions in a board's two streams, so that no byte is repeated or lost after a lost link: the characteristic
/// FFE3 of `Firmware/SerialBridge`, little-endian, whose numbers are counted from the board's power-on, modulo 2³².
package struct BLESerialPosition: Hashable {
    /// The characteristic, in the service of the HM-10.
    static let uuid = BLEUUID(0xFFE3)
    /// The shortest value; later bytes are ignored.
    private static let length = 12

    /// A number that differs at each power-on.
    var boot: UInt32
    /// The number of bytes that clients have written.
    var accepted: UInt32
    /// The number of the oldest byte that is kept for a client.
    var keptFrom: UInt32

    /// Reads a value; `nil` if it is too short.
    package init?(_ value: [UInt8]) {
        guard value.count >= Self.length else { return nil }
        (boot, accepted, keptFrom) = (value.littleEndian(at: 0), value.littleEndian(at: 4), value.littleEndian(at: 8))
    }
}

extension [UInt8] {
    /// The number in the four bytes at `offset`, which must exist.
    func littleEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The received position in the stream of a board that numbers its bytes, over several connections: a pure state
/// machine.
struct BLESerialReceiver {
    /// The number of bytes after which they are acknowledged at once.
    static let acknowledgedCount: UInt32 = 2048
    /// The delay of the acknowledgement of fewer bytes.
    static let acknowledgedTime = Duration.milliseconds(50)

    private var boot: UInt32?
    private var received: UInt32 = 0
    private var acknowledged: UInt32 = 0

    /// A connection begins; returns the value to write to the board: the number of the next expected byte.
    mutating func begin(_ position: BLESerialPosition) -> [UInt8] {
        // Received bytes that the board still keeps, since their acknowledgement was lost.
        let repeated = received &- position.keptFrom
        if boot != position.boot || repeated > Self.longestRepetition { received = position.keptFrom }
        boot = position.boot
        return acknowledge()
    }

    /// No board keeps more bytes: with a larger number, another client has received the bytes in between.
    private static let longestRepetition: UInt32 = 1 << 20

    /// Bytes were received; returns whether to acknowledge them at once.
    mutating func receive(_ count: Int) -> Bool {
        received &+= UInt32(truncatingIfNeeded: count)
        return received &- acknowledged >= Self.acknowledgedCount
    }

    /// True if received bytes are not yet acknowledged.
    var isDue: Bool { received != acknowledged }

    /// The value to write to acknowledge all received bytes.
    mutating func acknowledge() -> [UInt8] {
        acknowledged = received
        return (0..<4).map { UInt8(truncatingIfNeeded: received >> ($0 * 8)) }
    }
}
