public import BenchExecutor
import MonotonicTime
import Synchronization

/// A private connection to a message bus.
///
/// Messages are handled on `executor`, in the order in which they arrived: signals, calls, results, and the packets of
/// packet streams. The executor must run in real time. Nothing blocks its thread.
public final class DBusConnection: Sendable {
    /// The result of a call.
    public typealias Reply = Result<[DBusValue], DBusError>

    /// Handlers for received messages and for the end of the connection; called on the executor.
    public struct Handlers: Sendable {
        /// A signal that a rule of ``addMatch(_:)`` selected.
        public var signal: @Sendable (DBusMessage) -> Void
        /// A call of a method of an object of this connection, to be answered with ``reply(to:_:)`` or
        /// ``reply(to:error:_:)``, now or later; returns whether the method exists.
        public var call: @Sendable (DBusMessage) -> Bool
        /// The connection has ended; the last call.
        public var closed: @Sendable (DBusError) -> Void

        /// Handlers; by default there are no objects, and signals are ignored.
        public init(
            signal: @escaping @Sendable (DBusMessage) -> Void = { _ in },
            call: @escaping @Sendable (DBusMessage) -> Bool = { _ in false },
            closed: @escaping @Sendable (DBusError) -> Void = { _ in }
        ) {
            self.signal = signal
            self.call = call
            self.closed = closed
        }
    }

    /// The default time limit for the answer to a call.
    public static let defaultTimeout = Duration.seconds(25)

    struct Pending {
        var interface: String?
        var member: String?
        /// The deadline of the call, and its time limit.
        var deadline: MonotonicInstant?
        var timeout: Duration?
        var completion: @Sendable (Reply) -> Void
    }

    struct State {
        var lastSerial: UInt32 = 0
        var pending: [UInt32: Pending] = [:]
        /// The time of the next check of deadlines.
        var nextCheck: MonotonicInstant?
        var closed: DBusError?
        var opening: CheckedContinuation<DBusError?, Never>?
        var isOpen = false
        var uniqueName: String?
    }

    /// The executor of the handlers.
    public let executor: BenchExecutor
    let state = Mutex(State())
    let stream: BusStream
    private let handlers: Handlers

    private init(_ address: DBusAddress, _ executor: BenchExecutor, _ handlers: Handlers) throws(DBusError) {
        self.executor = executor
        self.handlers = handlers
        let link = Link()
        stream = try BusStream(address, executor) { event in link.connection?.handle(event) }
        link.set(self)
        stream.start()
    }

    /// Connects to the bus at `address`, authenticates as this user, and calls `Hello`.
    ///
    /// - Throws: `unreachable`, `accessDenied`, `invalidAddress`, `timedOut`, `protocolViolation`, `disconnected`.
    public nonisolated(nonsending) static func open(
        _ address: DBusAddress, on executor: BenchExecutor, within timeout: Duration = .seconds(10),
        handlers: Handlers = Handlers()
    ) async throws(DBusError) -> DBusConnection {
        let connection = try DBusConnection(address, executor, handlers)
        let timer = executor.schedule(at: executor.now.advanced(by: timeout)) {
            connection.stream.close(
                DBusError(.timedOut, "bus \(address): expected its answer to the authentication within \(timeout)"))
        }
        let error = await withCheckedContinuation { continuation in
            let result = connection.state.withLock { state -> DBusError?? in
                if state.isOpen { return .some(nil) }
                if let closed = state.closed { return closed }
                state.opening = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
        executor.cancel(timer)
        if let error { throw error }
        let hello = try await connection.call(
            DBusMessage(call: busName, busPath, busName, "Hello"), within: timeout)
        connection.state.withLock { $0.uniqueName = hello.first?.text }
        return connection
    }

    /// The name that the bus gave this connection, e.g. `:1.42`.
    public var uniqueName: String? { state.withLock { $0.uniqueName } }

    /// Closes the connection; pending calls fail with `disconnected`.
    public func close() {
        stream.close(DBusError(.disconnected, "the connection to the bus was closed"))
    }

    deinit {
        stream.close(DBusError(.disconnected, "the connection to the bus was closed"))
    }

    // MARK: Events, on the executor

    private func handle(_ event: BusStream.Event) {
        switch event {
        case .authenticated:
            let opening = state.withLock { state in
                state.isOpen = true
                defer { state.opening = nil }
                return state.opening
            }
            opening?.resume(returning: nil)
        case .messages(let messages):
            for message in messages { handle(message) }
        case .closed(let error): closed(error)
        }
    }

    private func handle(_ message: DBusMessage) {
        switch message.kind {
        case .methodReturn: complete(message, .success(message.body))
        case .error:
            complete(
                message,
                .failure(
                    DBusError(
                        .remote(message.errorName ?? "?"), message.body.first?.text ?? "")))
        case .signal: handlers.signal(message)
        case .methodCall:
            if message.interface == "org.freedesktop.DBus.Peer", message.member == "Ping" {
                return reply(to: message, [])
            }
            if !handlers.call(message) {
                reply(
                    to: message, error: "org.freedesktop.DBus.Error.UnknownMethod",
                    "no method \(message.name) of \(message.path ?? "?")")
            }
        default: break
        }
    }

    private func complete(_ message: DBusMessage, _ reply: Reply) {
        guard let serial = message.replySerial,
            let pending = state.withLock({ $0.pending.removeValue(forKey: serial) })
        else { return }
        pending.completion(reply)
    }

    private func closed(_ error: DBusError) {
        let (pending, opening) = state.withLock { state in
            state.closed = error
            defer {
                state.pending = [:]
                state.opening = nil
            }
            return (state.pending, state.opening)
        }
        opening?.resume(returning: error)
        for (_, pending) in pending.sorted(by: { $0.key < $1.key }) {
            pending.completion(.failure(error))
        }
        handlers.closed(error)
    }
}

/// The stream's reference to its connection, which is created after the stream.
private final class Link: Sendable {
    private let state = Mutex<WeakConnection>(WeakConnection())

    private struct WeakConnection {
        weak var connection: DBusConnection?
    }

    var connection: DBusConnection? { state.withLock { $0.connection } }

    func set(_ connection: DBusConnection) {
        state.withLock { $0.connection = connection }
    }
}

/// Receives the packets of a socket received with a message, e.g. the notifications of BlueZ's AcquireNotify.
public final class DBusPackets: Sendable {
    private let stream: PacketStream
    private let bus: BusStream

    init(_ stream: PacketStream, _ bus: BusStream) {
        self.stream = stream
        self.bus = bus
    }

    /// Closes the socket after the packets that have already arrived.
    public func close() {
        bus.remove(stream)
    }

    deinit {
        bus.remove(stream)
    }
}

extension DBusConnection {
    /// Begins to receive packets, on the executor: a packet is handled before a message that the peer sent after it.
    /// Ends when the other end closes the socket, or with ``DBusPackets/close()``.
    ///
    /// - Parameters:
    ///   - onPacket: called with each packet, which may be empty.
    ///   - onEnd: called at the end; with an error if receiving failed.
    public func receivePackets(
        of descriptor: DBusFileDescriptor, onPacket: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (DBusError?) -> Void
    ) -> DBusPackets {
        let packets = PacketStream(descriptor, executor) { event in
            switch event {
            case .packet(let packet): onPacket(packet)
            case .ended(let error): onEnd(error)
            }
        }
        stream.add(packets)
        return DBusPackets(packets, stream)
    }
}

/// An error of a bus, of a connection to it, or of a peer.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The address is malformed, or its transport is not supported.
        case invalidAddress
        /// No bus listens at the address.
        case unreachable
        /// This user may not connect to the bus.
        case accessDenied
        /// The connection has ended.
        case disconnected
        /// The other end violated the protocol; the connection is closed.
        case protocolViolation
        /// No answer in time.
        case timedOut
        /// The message cannot be sent.
        case invalidMessage
        /// The peer answered with an error of this name, e.g. `org.bluez.Error.Failed`.
        case remote(String)
    }

    /// The kind of error.
    public var code: Code
    /// The failure, with what was expected, what was received, and where; for `remote` the peer's own message, which
    /// may be empty.
    public var detail: String

    /// An error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The name of a peer's error.
    public var name: String? {
        if case .remote(let name) = code { name } else { nil }
    }

    /// For an error of the peer its name; then the detail.
    public var description: String {
        guard let name else { return detail }
        return detail.isEmpty ? name : "\(name): \(detail)"
    }
}

/// A rule by which a bus selects the signals for a connection (D-Bus Specification, "Match Rules").
public struct DBusMatch: Hashable, Sendable {
    /// The text of the rule.
    public let rule: String

    /// The signals of a sender with these properties; `nil`: any.
    public init(
        sender: String, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, argument0: String? = nil
    ) {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender), ("path", path), ("path_namespace", pathNamespace),
            ("interface", interface), ("member", member), ("arg0", argument0),
        ]
        // An apostrophe ends the quotation, follows escaped, and then the quotation begins again.
        rule = parts.compactMap { key, value in
            value.map {
                "\(key)='\($0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
            }
        }.joined(separator: ",")
    }
}
