import Synchronization

/// Carries a backend's events from whatever thread they arise on to the one handler of its user.
///
/// The contract, which every backend and every user can rely on:
/// - Events are posted from any thread. The handler is called on its executor, one event after another, and events of
///   one connection in the order they were posted.
/// - Nothing of a connection is handled before ``accept(_:)``: its events wait until whoever connected can hear them,
///   for a bonded peer may notify before `connect` has returned.
/// - A connection's ``CentralEvent/disconnected(_:reason:)`` is handled once, and nothing of the connection after it.
/// - What waits is bounded: of a connection that is not accepted the newest ``heldEventLimit`` events are kept (the
///   oldest notifications give way first), and of connections that are not accepted the newest
///   ``heldConnectionLimit``. ``droppedEvents`` counts the rest.
/// - Advertisements belong to no connection: they do not wait.
/// - An event that is posted on the handler's executor itself, while none waits to be handled, is handled at once,
///   before ``post(_:)`` returns. So a backend on that executor adds no delay and no change of order.
public final class CentralEventQueue: Sendable {
    /// Takes an event.
    public typealias Handler = @Sendable (CentralEvent) -> Void

    /// How many events of a connection wait at most.
    public static let heldEventLimit = 256
    /// How many connections that are not accepted have events waiting at most, ended ones among them.
    public static let heldConnectionLimit = 16

    private struct Listener {
        var handler: Handler
        var isOnExecutor: @Sendable () -> Bool
        var run: @Sendable (@escaping @Sendable () -> Void) -> Void
    }

    private struct State {
        var listener: Listener?
        var held = HeldEvents()
        /// What the handler gets next, from `nextReady` on.
        var ready: [CentralEvent] = []
        var nextReady = 0
        /// Whether the executor has been asked to handle what is ready.
        var isScheduled = false
    }

    /// What is to be done once the lock is released.
    private enum Step {
        case nothing
        case handle(Handler)
        case drain
        case schedule(@Sendable (@escaping @Sendable () -> Void) -> Void)
    }

    private let state = Mutex(State())

    /// A queue without a handler.
    public init() {}

    /// How many events were dropped: of connections that nobody accepted, and what came after a disconnection.
    public var droppedEvents: Int { state.withLock { $0.held.dropped } }

    /// Sets who handles events from now on, in place of the former handler. Without one, advertisements and the events of
    /// accepted connections are lost.
    ///
    /// - Parameters:
    ///   - handler: Takes each event; called on its executor only.
    ///   - isOnExecutor: Whether the caller runs on that executor. It must answer at once and not use this queue.
    ///   - run: Runs a closure on that executor, soon, after what is due there. Called from any thread.
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

    /// Says that whoever connected can hear the connection's events now: those that wait come first, before this
    /// returns where it is called on the handler's executor; later ones come as they are posted.
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

    /// Hands over what is ready. An event that the handler itself posts meanwhile comes after what is ready.
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
