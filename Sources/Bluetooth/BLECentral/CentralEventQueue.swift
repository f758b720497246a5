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
        /// The pending events, from `nextReady` on.
        var ready: [CentralEvent] = []
        var nextReady = 0
        /// Whether ``drain()`` is scheduled on the executor.
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

    /// The number of dropped events: those of connections that were not accepted, and those after a disconnection.
    public var droppedEvents: Int { state.withLock { $0.held.dropped } }

    /// Sets the handler; replaces the previous one. Without a handler, advertisements and the events of accepted
    /// connections are lost.
    ///
    /// - Parameters:
    ///   - handler: Handles each event; called on its executor only.
    ///   - isOnExecutor: Whether the caller runs on that executor. It must not block and not use this queue.
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

    /// Accepts the events of a connection. Held events are handled first; if called on the handler's executor, before
    /// this returns. Later events are handled when they are posted.
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
