public import BenchExecutor
public import Synchronization

/// Where a part of a bench posts its events: from any thread, in order.
///
/// The handler runs on the bench's executor: at once where the poster runs on it and nothing waits, else as soon as the
/// executor comes to it. Events before there is a handler are kept for it, at most ``capacity``.
public final class EventPort<Event: Sendable>: Sendable {
    /// How many events wait for a handler at most; the oldest are dropped.
    public static var capacity: Int { 1024 }

    @usableFromInline struct State {
        @usableFromInline var handler: (@Sendable (Event) -> Void)?
        @usableFromInline var waiting: [Event] = []
        @usableFromInline var isDraining = false
    }

    @usableFromInline let executor: BenchExecutor
    @usableFromInline let state = Mutex(State())

    /// A port to `executor`.
    public init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    /// Sets who receives events; replaces the former handler. Must be called on the executor.
    public func setHandler(_ handler: (@Sendable (Event) -> Void)?) {
        state.withLock { $0.handler = handler }
        drain()
    }

    /// Posts an event. Inlinable, so that each kind of events has its own code.
    @inlinable public func post(_ event: Event) {
        let isOnExecutor = executor.isIsolatingCurrentContext() == true
        let direct: (@Sendable (Event) -> Void)? = state.withLock { state in
            if isOnExecutor, state.waiting.isEmpty, !state.isDraining, let handler = state.handler { return handler }
            if state.waiting.count == Self.capacity { state.waiting.removeFirst() }
            state.waiting.append(event)
            return nil
        }
        if let direct { return direct(event) }
        if !isOnExecutor { executor.post { self.drain() } }
    }

    /// Hands what waits to the handler, in order.
    @usableFromInline func drain() {
        while true {
            let next: (@Sendable (Event) -> Void, Event)? = state.withLock { state in
                guard let handler = state.handler, !state.waiting.isEmpty else {
                    state.isDraining = false
                    return nil
                }
                state.isDraining = true
                return (handler, state.waiting.removeFirst())
            }
            guard let (handler, event) = next else { return }
            handler(event)
        }
    }
}
