public import MonotonicTime

/// Keeps at most one scheduled event for an owner whose next deadline moves: the way a pure state machine with a
/// `nextDeadline` is woken.
public struct Alarm: Sendable {
    private let simulation: Simulation
    private var scheduled: (deadline: MonotonicInstant, event: Simulation.Event)?

    /// An alarm that is not set.
    public init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    /// Sets the alarm to `deadline` (`nil`: off). `action` must call ``fired()`` first.
    public mutating func set(_ deadline: MonotonicInstant?, _ action: @escaping @Sendable () -> Void) {
        if scheduled?.deadline == deadline { return }
        if let scheduled { simulation.cancel(scheduled.event) }
        scheduled = deadline.map { ($0, simulation.schedule(at: $0, action)) }
    }

    /// Tells the alarm that its event has run.
    public mutating func fired() {
        scheduled = nil
    }
}
