public import BenchModel
import Synchronization

/// Distributes the events and results of a run: to its observers, and events also to a ring of the last ones, which is
/// the context of a failure.
public final class EventRecorder: Sendable {
    /// How many events a failure's context can show.
    private static let ringCapacity = 64

    private struct State {
        var ring: [BenchEvent] = []
        var next = 0
        var caseNumber = 0
        var lastCase = 0
    }

    private let observers: [any RunObserver]
    private let eventObservers: [any RunObserver]
    private let state: Mutex<State>

    /// A recorder for `observers`, of which only those that want events receive them.
    public init(observers: [any RunObserver] = []) {
        self.observers = observers
        eventObservers = observers.filter(\.wantsEvents)
        wantsInstances = observers.contains { $0.wantsInstances }
        var state = State()
        state.ring.reserveCapacity(Self.ringCapacity)
        self.state = Mutex(state)
    }

    /// Whether an observer wants every event, so that those made only for it are worth making.
    public var isObserved: Bool { !eventObservers.isEmpty }

    /// Whether an observer wants every instance of a case.
    public let wantsInstances: Bool

    /// Reports an item other than an event.
    public func report(_ item: RunItem) {
        for observer in observers { observer.receive(item) }
    }

    /// Passes an item on to the observers as it is: an event of another bench keeps its time and number.
    public func relay(_ item: RunItem) {
        guard case .event = item else { return report(item) }
        for observer in eventObservers { observer.receive(item) }
    }

    /// Begins the next instance of a case: the events from now on carry its number, which is returned; from 1 on.
    public func beginCase() -> Int {
        state.withLock { state in
            state.lastCase += 1
            state.caseNumber = state.lastCase
            return state.lastCase
        }
    }

    /// Ends the instance: the events from now on belong to none.
    public func endCase() {
        state.withLock { $0.caseNumber = 0 }
    }

    /// Adds an event, with the number of the case in progress; returns it.
    @discardableResult
    public func record(_ event: BenchEvent) -> BenchEvent {
        var event = event
        state.withLock { state in
            event.caseNumber = state.caseNumber
            guard event.payload.isContext else { return }
            let last = (state.next + Self.ringCapacity - 1) % Self.ringCapacity
            let newest = state.ring.count < Self.ringCapacity ? state.ring.count - 1 : last
            if newest >= 0, event.payload.continues(state.ring[newest].payload) {
                state.ring[newest] = event
            } else if state.ring.count < Self.ringCapacity {
                state.ring.append(event)
            } else {
                state.ring[state.next] = event
                state.next = (state.next + 1) % Self.ringCapacity
            }
        }
        for observer in eventObservers { observer.receive(.event(event)) }
        return event
    }

    /// The last events, oldest first.
    public var recentEvents: [BenchEvent] {
        state.withLock { Array($0.ring[$0.next...] + $0.ring[..<$0.next]) }
    }
}
