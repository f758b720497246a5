public import BenchExecutor
public import BLECore
import Synchronization

/// Passes a backend's events from any thread to its single handler.
///
/// The contract between backends and handlers:
/// - Events are posted from any thread. The handler is called on its executor, one event at a time; events of one
///   connection keep the order in which they were posted.
/// - No event of a connection is handled before ``accept(_:)``: they are held until the caller of `connect` is ready,
///   since a bonded peer may notify before `connect` has returned.
/// - A connection's ``CentralEvent/disconnected(_:reason:)`` is handled once, and is the connection's last event.
/// - Held events are bounded: for each connection that is not accepted the newest ``heldEventLimit`` events (the oldest
///   notifications are dropped first), for at most ``heldConnectionLimit`` such connections. ``droppedEvents`` counts
///   the others.
/// - Advertisements belong to no connection and are never held.
/// - An event posted on the handler's own executor while no other event is pending is handled before ``post(_:)``
///   returns. So a backend on that executor adds no delay and does not change the order.
public final class CentralEventQueue: Sendable {
    /// Handles an event.
    public typealias Handler = @Sendable (CentralEvent) -> Void

    /// The maximum number of held events of a connection.
    public static let heldEventLimit = 256
    /// The maximum number of connections, including ended ones, whose events are held.
    public static let heldConnectionLimit = 16

    private struct Listener {
        var handler: Handler
        var isOnExecutor: @Sendable () -> Bool
        var run: @Sendable (@escaping @Sendable () -> Void) -> Void
    }

    private struct State {
        var listener: Listener?
        var held = HeldEvents()
        /// The pending events, starting at index `nextReady`.
        var ready: [CentralEvent] = []
        var nextReady = 0
        /// True if ``drain()`` is scheduled on the executor.
        var isScheduled = false
    }

    /// The action after the lock has been released.
    private enum Step {
        case nothing
        case handle(Handler)
        case drain
        case schedule(@Sendable (@escaping @Sendable () -> Void) -> Void)
    }

    private let state = Mutex(State())

    /// A queue without a handler.
    public init() {}

    /// The number of dropped events: events of connections that were not accepted, and events after a disconnection.
    public var droppedEvents: Int { state.withLock { $0.held.dropped } }

    /// Sets the handler; replaces the previous one. Without a handler, advertisements and the events of accepted
    /// connections are lost.
    ///
    /// - Parameters:
    ///   - handler: Handles each event; called on its executor only.
    ///   - isOnExecutor: Returns true if the caller runs on that executor. It must not block and not use this queue.
    ///   - run: Runs a closure on that executor after everything already due. Called from any thread.
    public func setHandler(
        _ handler: @escaping Handler, isOnExecutor: @escaping @Sendable () -> Bool,
        run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        state.withLock { $0.listener = Listener(handler: handler, isOnExecutor: isOnExecutor, run: run) }
    }

    /// Posts an event, from any thread.
    public func post(_ event: CentralEvent) {
        let step = state.withLock { state -> Step in
            if let connection = event.connection, !state.held.passes(event, of: connection) { return .nothing }
            guard let listener = state.listener else { return .nothing }
            if state.ready.isEmpty, listener.isOnExecutor() { return .handle(listener.handler) }
            state.ready.append(event)
            return Self.schedule(&state, listener)
        }
        perform(step, event)
    }

    /// Accepts the events of a connection. Held events are handled first: before this returns, if it is called on the
    /// handler's executor. Later events are handled when they are posted.
    public func accept(_ connection: ConnectionID) {
        let step = state.withLock { state -> Step in
            state.ready += state.held.accept(connection)
            guard let listener = state.listener, !state.ready.isEmpty else {
                state.ready.removeAll()
                return .nothing
            }
            return listener.isOnExecutor() ? .drain : Self.schedule(&state, listener)
        }
        perform(step, nil)
    }

    private static func schedule(_ state: inout State, _ listener: Listener) -> Step {
        guard !state.isScheduled else { return .nothing }
        state.isScheduled = true
        return .schedule(listener.run)
    }

    private func perform(_ step: Step, _ event: CentralEvent?) {
        switch step {
        case .nothing: break
        case .handle(let handler): if let event { handler(event) }
        case .drain: drain()
        case .schedule(let run): run { self.drain() }
        }
    }

    /// Handles the pending events. Events that the handler posts are handled after them.
    private func drain() {
        while let (handler, event) = state.withLock({ Self.next(&$0) }) { handler(event) }
    }

    private static func next(_ state: inout State) -> (Handler, CentralEvent)? {
        guard let listener = state.listener, state.nextReady < state.ready.count else {
            state.isScheduled = false
            return nil
        }
        let event = state.ready[state.nextReady]
        state.nextReady += 1
        if state.nextReady == state.ready.count {
            state.ready.removeAll(keepingCapacity: true)
            state.nextReady = 0
        }
        return (listener.handler, event)
    }
}

extension CentralEventQueue {
    /// Sets a handler that runs on a bench's executor.
    public func setHandler(on executor: BenchExecutor, _ handler: @escaping Handler) {
        setHandler(
            handler, isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
    }
}

/// An event of a central's stack.
public enum CentralEvent: Sendable, Hashable {
    /// The adapter or the stack's service has failed or was removed: scanning and all connections have ended.
    case failed(CentralError)
    /// An advertisement was received while scanning.
    case advertisement(Advertisement)
    /// The server sent a notification or indication.
    case notification(ConnectionID, AttributeID, value: [UInt8], isIndication: Bool)
    /// The ATT MTU changed.
    case mtuChanged(ConnectionID, Int)
    /// A connection ended; this is its last event. `reason` is the HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g.
    /// 0x13; `nil` if it is not known. `remark` is the stack's explanation, e.g. that a bond may have been lost.
    case disconnected(ConnectionID, reason: UInt8?, remark: String? = nil)
    /// A pairing waits for an answer by ``CentralBackend/answerPairing(_:on:)``.
    case pairingInput(ConnectionID, PairingInput)
    /// The stack has chosen the passkey of a pairing, 0...999999: show it to the user, who enters it on the peer. No
    /// answer is needed.
    case passkeyDisplayed(ConnectionID, UInt32)
    /// The security of a connection changed.
    case securityChanged(ConnectionID, LinkSecurity)
    /// The peer sent a Security Request; the handler may encrypt or pair.
    case securityRequested(ConnectionID)

    /// The connection of the event; `nil` for an advertisement and a failure.
    public var connection: ConnectionID? {
        switch self {
        case .failed, .advertisement: nil
        case .notification(let connection, _, _, _), .mtuChanged(let connection, _),
            .disconnected(let connection, _, _), .pairingInput(let connection, _),
            .passkeyDisplayed(let connection, _), .securityChanged(let connection, _),
            .securityRequested(let connection):
            connection
        }
    }
}

/// The events of connections that are not accepted yet, and the connections that have ended. A pure state machine.
struct HeldEvents {
    private struct Mailbox {
        var connection: ConnectionID
        var events: [CentralEvent] = []
        var hasEnded = false
    }

    /// The accepted connections.
    private var accepted: [ConnectionID] = []
    /// The connections that are not accepted, in the order of their first event.
    private var mailboxes: [Mailbox] = []
    /// The latest connections whose disconnection has been handled.
    private var ended: [ConnectionID] = []

    /// The number of dropped events.
    private(set) var dropped = 0

    /// Returns true if an event of `connection` must be handled now; otherwise holds or drops it.
    mutating func passes(_ event: CentralEvent, of connection: ConnectionID) -> Bool {
        guard let index = accepted.firstIndex(of: connection) else {
            hold(event, of: connection)
            return false
        }
        if case .disconnected = event {
            accepted.remove(at: index)
            remember(connection)
        }
        return true
    }

    /// Accepts a connection; returns its held events.
    mutating func accept(_ connection: ConnectionID) -> [CentralEvent] {
        guard !accepted.contains(connection), !ended.contains(connection) else { return [] }
        guard let index = mailboxes.firstIndex(where: { $0.connection == connection }) else {
            accepted.append(connection)
            return []
        }
        let mailbox = mailboxes.remove(at: index)
        if mailbox.hasEnded { remember(connection) } else { accepted.append(connection) }
        return mailbox.events
    }

    private mutating func hold(_ event: CentralEvent, of connection: ConnectionID) {
        guard !ended.contains(connection) else {
            dropped += 1
            return
        }
        let index = mailboxes.firstIndex { $0.connection == connection } ?? makeMailbox(connection)
        guard !mailboxes[index].hasEnded else {
            dropped += 1
            return
        }
        if mailboxes[index].events.count == CentralEventQueue.heldEventLimit {
            mailboxes[index].events.remove(at: mailboxes[index].events.firstIndex(where: \.isNotification) ?? 0)
            dropped += 1
        }
        mailboxes[index].events.append(event)
        if case .disconnected = event { mailboxes[index].hasEnded = true }
    }

    /// Makes room by dropping an ended connection first: its events are the least likely to be accepted.
    private mutating func makeMailbox(_ connection: ConnectionID) -> Int {
        if mailboxes.count == CentralEventQueue.heldConnectionLimit {
            dropped += mailboxes.remove(at: mailboxes.firstIndex(where: \.hasEnded) ?? 0).events.count
        }
        mailboxes.append(Mailbox(connection: connection))
        return mailboxes.count - 1
    }

    private mutating func remember(_ connection: ConnectionID) {
        if ended.count == CentralEventQueue.heldConnectionLimit { ended.removeFirst() }
        ended.append(connection)
    }
}

extension CentralEvent {
    fileprivate var isNotification: Bool {
        if case .notification = self { true } else { false }
    }
}
