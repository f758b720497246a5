import BenchExecutor
public import BLECentral
import BLECore
import Inbox
internal import MonotonicTime

/// A serial line over Bluetooth LE: finds the board, keeps a connection, sends and receives bytes.
///
/// Bytes that were not sent when a connection is lost are sent over the next one, and so are those that were on their
/// way to a board that numbers its bytes (`Firmware/SerialBridge`). Losses of bytes on their way, or of bytes that
/// nobody reads, are reported: see ``BLESerialEvent``.
public actor BLESerial {
    /// The most bytes that wait to be sent; ``send(_:)`` waits while there are as many.
    public static let sendLimit = 65_536
    /// The most received bytes that wait for a reader, and a chunk; later ones are dropped, and reported.
    public static let receiveLimit = ByteInbox<CentralError>.limit
    /// The most events that wait for a listener; of more, the oldest are dropped.
    public static let eventBufferSize = 64
    /// The MTU that is offered: packets of the link layer are full with it.
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
    /// The number of received bytes dropped since the last reading.
    private var overflow = 0
    /// The last status of a board that counts.
    var lastStatus: BLESerialStatus?
    /// True if it has not said anything for too long.
    var isStatusLate = false
    /// How many times in a row the board has reported impossible counts.
    var disbelief = 0
    /// How far the stream of a board that numbers its bytes was received, and whether the connected one does.
    var receiver = BLESerialReceiver()
    var isAcknowledging = false
    /// True if it is time to acknowledge.
    var mustAcknowledge = false
    var acknowledgement: BenchExecutor.Event?
    /// Transfers the bytes of one connection.
    var transfer: Task<Void, Never>?
    /// True if there is a connection, or one is being made.
    private var isActive = false
    /// Why the connection has ended, if something failed.
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
    ///   - central: powered on, or not yet.
    ///   - pace: how fast the board can take bytes.
    ///   - policy: when lost connections are tried again.
    ///   - isWanted: whether an advertisement is that of the board; the first one that is, is taken.
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

    /// The events from now on, the connection first. Keeps the newest ``eventBufferSize``.
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

    /// Ends the connection, or the search for one. Bytes that were not sent are given up: ``waitUntilSent()`` comes first.
    public func disconnect() async { await connection.disconnect() }

    // MARK: Bytes

    /// Sends bytes; returns when they wait to be sent, at most ``sendLimit`` of them, also while the connection is made again.
    /// The bytes of several calls at a time are mixed if they do not fit.
    ///
    /// - Throws: `notConnected` when there is no connection and none will be made; `invalidState` when the calling task is
    ///   cancelled, with the number of bytes that had been taken.
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
    /// - Throws: as ``send(_:)``; `disconnected` when some were on their way meanwhile as a connection ended, and the board cannot
    ///   tell whether it has them.
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

    /// The bytes received, at most `maximum`; waits for the first. One reader at a time.
    ///
    /// - Parameter timeout: the longest wait, in real time; empty when it has passed. `nil`: none.
    /// - Throws: `CentralError`, when all bytes were read and there will be no connection; `CancellationError`.
    public func read(upTo maximum: Int = 65_536, within timeout: Duration? = nil) async throws -> [UInt8] {
        let bytes = try await inbox.read(upTo: maximum, within: timeout)
        endOverflow()
        if mustAcknowledge { acknowledgements.release() }
        return bytes
    }

    /// The bytes received, in pieces as they come, for one reader at a time; ends with an error when there will be no
    /// connection. See ``receiveLimit`` for what is kept.
    public nonisolated var received: AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { try await self.read() }
    }

    /// Drops the received bytes that wait for a reader.
    public func discardReceived() {
        try? inbox.discard()
        endOverflow()
        if mustAcknowledge { acknowledgements.release() }
    }

    func receive(_ bytes: [UInt8]) {
        count.received += bytes.count
        // A board whose bytes are acknowledged stops by itself.
        guard inbox.isFull, !isAcknowledging else {
            inbox.append(bytes)
            return
        }
        if overflow == 0 { tell(.overflowBegan) }
        overflow += bytes.count
        count.overflow += bytes.count
    }

    /// True if no more should be received.
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

    /// Ends the connection because of an error that is not its end.
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
    /// The connection is so.
    case link(ClientLink)
    /// Bytes go through: the peer, its name if known, the service, and the longest chunk in bytes.
    case opened(PeerID, name: String?, BLESerialService, chunk: Int)
    /// The connection ended while this many bytes were on their way: whether the board has them is not known, and they
    /// are not sent again.
    case unconfirmed(Int)
    /// Nobody reads, and ``BLESerial/receiveLimit`` bytes wait: further bytes are dropped.
    case overflowBegan
    /// Somebody reads again; this many received bytes were dropped.
    case overflow(Int)
    /// A board that counts has lost this many bytes: of those written to it, and of those its UART received.
    case boardLost(fromClient: Int, fromUART: Int)
    /// There will be no connection: this many bytes were not sent.
    case unsent(Int)
    /// There is no connection, and no further attempt.
    case over
}

/// The counts of bytes since the beginning.
public struct BLESerialCounters: Sendable, Hashable {
    /// Bytes that the board has confirmed.
    public internal(set) var sent = 0
    /// Bytes that wait to be sent.
    public internal(set) var queued = 0
    /// Bytes that were on their way when a connection ended.
    public internal(set) var unconfirmed = 0
    /// Bytes that were given up.
    public internal(set) var unsent = 0
    /// Bytes that were received, including dropped ones.
    public internal(set) var received = 0
    /// Bytes that were received and dropped, since nobody read them.
    public internal(set) var overflow = 0
    /// The connections.
    public internal(set) var connections = 0
}

/// The report of a board on the bytes it has taken: the characteristic FFE2 of `Firmware/SerialBridge`, little-endian.
/// Boards without it are paced.
package struct BLESerialStatus: Hashable {
    /// The characteristic, in the service of the serial line.
    static let uuid = BLEUUID(0xFFE2)
    /// The shortest value; later bytes are ignored.
    private static let length = 20

    /// How many bytes of this connection the board has passed on to its UART, modulo 2³²; as long as it holds bytes of former
    /// connections, less than 0 by as many.
    var sent: UInt32
    /// How many bytes may have been written and not passed on.
    var capacity: Int
    /// Bytes that were written and did not fit, since the board's power-on.
    var lostFromClient: UInt32
    /// Bytes that came from the UART and did not fit, since the board's power-on.
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

    /// How many bytes of former connections the board still holds.
    var former: Int {
        let count = 0 &- sent
        return count <= UInt32(capacity) ? Int(count) : 0
    }

    /// How much a loss has grown; a smaller count was restarted.
    static func growth(_ new: UInt32, since old: UInt32) -> Int { Int(new >= old ? new - old : new) }
}

/// Where a board's two streams are, so that after a lost link neither side repeats or leaves out a byte: the characteristic FFE3
/// of `Firmware/SerialBridge`, little-endian, whose numbers are counted from the board's power-on, modulo 2³².
package struct BLESerialPosition: Hashable {
    /// The characteristic, in the service of the HM-10.
    static let uuid = BLEUUID(0xFFE3)
    /// The shortest value; later bytes are ignored.
    private static let length = 12

    /// Another one at each power-on.
    var boot: UInt32
    /// How many bytes clients have written.
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
    /// The number of four bytes at `offset`, which are there.
    func littleEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// How far a client has received the stream of a board that numbers its bytes, over several connections: a pure state machine.
struct BLESerialReceiver {
    /// After how many bytes they are acknowledged at once.
    static let acknowledgedCount: UInt32 = 2048
    /// How long fewer wait.
    static let acknowledgedTime = Duration.milliseconds(50)

    private var boot: UInt32?
    private var received: UInt32 = 0
    private var acknowledged: UInt32 = 0

    /// A connection begins; returns what to write to the board: the number of the next byte that is expected.
    mutating func begin(_ position: BLESerialPosition) -> [UInt8] {
        // Bytes that were received but that the board still keeps: their acknowledgement was lost.
        let repeated = received &- position.keptFrom
        if boot != position.boot || repeated > Self.longestRepetition { received = position.keptFrom }
        boot = position.boot
        return acknowledge()
    }

    /// More cannot be kept by a board: then another client has received the bytes between.
    private static let longestRepetition: UInt32 = 1 << 20

    /// Bytes have come; returns whether to acknowledge them at once.
    mutating func receive(_ count: Int) -> Bool {
        received &+= UInt32(truncatingIfNeeded: count)
        return received &- acknowledged >= Self.acknowledgedCount
    }

    /// True if something is not acknowledged.
    var isDue: Bool { received != acknowledged }

    /// The bytes to write to acknowledge all.
    mutating func acknowledge() -> [UInt8] {
        acknowledged = received
        return (0..<4).map { UInt8(truncatingIfNeeded: received >> ($0 * 8)) }
    }
}
