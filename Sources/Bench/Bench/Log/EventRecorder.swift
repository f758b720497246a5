public import BenchModel
import Synchronization

/// Distributes the events and results of a run to its observers, and keeps the last events in rings as the context of a
/// failure.
public final class EventRecorder: Sendable {
    private struct State {
        /// Rare events (steps, GATT traffic, links) and frequent ones (console lines, servos) have a ring each, so that
        /// a flood of lines does not displace the rare ones.
        var rare = EventRing()
        var frequent = EventRing()
        /// The number of the instance's events that have been added.
        var count = 0
        var caseNumber = 0
        var lastCase = 0

        mutating func append(_ event: BenchEvent) {
            guard event.payload.isContext else { return }
            if event.payload.isFrequent {
                if frequent.newest == count, frequent.replaceLast(with: event) { return }
                count += 1
                frequent.append(event, count)
            } else {
                if rare.newest == count, rare.replaceLast(with: event) { return }
                count += 1
                rare.append(event, count)
            }
        }
    }

    private let observers: [any RunObserver]
    private let eventObservers: [any RunObserver]
    private let state = Mutex(State())

    /// A recorder for `observers`; events are passed only to the observers that want events.
    public init(observers: [any RunObserver] = []) {
        self.observers = observers
        eventObservers = observers.filter(\.wantsEvents)
        wantsInstances = observers.contains { $0.wantsInstances }
    }

    /// True if an observer wants every event, even one that is created for observers only.
    public var isObserved: Bool { !eventObservers.isEmpty }

    /// True if an observer wants every instance of a case.
    public let wantsInstances: Bool

    /// Reports an item other than an event.
    public func report(_ item: RunItem) {
        for observer in observers { observer.receive(item) }
    }

    /// Passes an item on to the observers unchanged: an event of another bench keeps its time and number.
    public func relay(_ item: RunItem) {
        guard case .event = item else { return report(item) }
        for observer in eventObservers { observer.receive(item) }
    }

    /// Begins the next instance of a case and returns its number, counted from 1; later events carry this number.
    /// Earlier events are not part of the context of the instance's failure.
    public func beginCase() -> Int {
        state.withLock { state in
            state.lastCase += 1
            state.caseNumber = state.lastCase
            state.count = 0
            state.rare.removeAll()
            state.frequent.removeAll()
            return state.lastCase
        }
    }

    /// Ends the instance: later events belong to no instance.
    public func endCase() {
        state.withLock { $0.caseNumber = 0 }
    }

    /// Adds an event, with the number of the case in progress; returns it.
    @discardableResult
    public func record(_ event: BenchEvent) -> BenchEvent {
        var event = event
        state.withLock { state in
            event.caseNumber = state.caseNumber
            state.append(event)
        }
        for observer in eventObservers { observer.receive(.event(event)) }
        return event
    }

    /// The last events since the instance began, oldest first.
    public var recentEvents: [BenchEvent] { numberedEvents.map(\.event) }

    /// The number of discarded events before each of ``recentEvents``.
    public var forgottenEvents: [Int] {
        var former = 0
        return numberedEvents.map { number, _ in
            defer { former = number }
            return number - former - 1
        }
    }

    private var numberedEvents: [(number: Int, event: BenchEvent)] {
        state.withLock { ($0.rare.entries + $0.frequent.entries).sorted { $0.number < $1.number } }
    }
}

/// The last events, with their numbers.
private struct EventRing {
    /// The number of kept events.
    private static let capacity = 64

    private(set) var entries: [(number: Int, event: BenchEvent)] = []
    private var next = 0

    /// The number of the newest event; 0 when there is none.
    private(set) var newest = 0

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        next = 0
        newest = 0
    }

    mutating func append(_ event: BenchEvent, _ number: Int) {
        newest = number
        if entries.count < Self.capacity {
            entries.append((number, event))
        } else {
            entries[next] = (number, event)
            next = (next + 1) % Self.capacity
        }
    }

    /// Replaces the newest event by `event` if `event` continues the newest one.
    mutating func replaceLast(with event: BenchEvent) -> Bool {
        let last = entries.count < Self.capacity ? entries.count - 1 : (next + Self.capacity - 1) % Self.capacity
        guard last >= 0, event.source == entries[last].event.source,
            event.payload.continues(entries[last].event.payload)
        else { return false }
        entries[last].event = event
        return true
    }
}
