public import MonotonicTime

/// Keeps at most one scheduled event for an owner whose next deadline changes: wakes a pure state machine that has a
/// `nextDeadline`.
public struct Alarm: Sendable {
    private let executor: BenchExecutor
    private var scheduled: (deadline: MonotonicInstant, event: BenchExecutor.Event)?

    /// An alarm that is not set.
    public init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    /// Sets the alarm to `deadline` (`nil`: off). `action` must call ``fired()`` first.
    public mutating func set(_ deadline: MonotonicInstant?, _ action: @escaping @Sendable () -> Void) {
        if scheduled?.deadline == deadline { return }
        if let scheduled { executor.cancel(scheduled.event) }
        scheduled = deadline.map { ($0, executor.schedule(at: $0, action)) }
    }

    /// Marks the alarm as not set: its event has run.
    public mutating func fired() {
        scheduled = nil
    }
}
