public import MonotonicTime

/// The result of a case.
public enum Verdict: Sendable, Hashable {
    /// Every step passed.
    case passed
    /// A step failed.
    case failed(Failure)
    /// It was not run, for this reason.
    case skipped(reason: String)
}

/// The cause of a failure.
public enum FailureCause: String, Sendable, Codable, CaseIterable {
    /// The firmware did not do what the step expects.
    case assertion
    /// The firmware crashed.
    case panic
    /// A watchdog reset the chip.
    case watchdog
    /// The link ended unexpectedly.
    case linkLost
    /// A fault of the central's stack.
    case hostStack
    /// The bench or the suite itself: a value that cannot be computed, a board that cannot be powered.
    case benchFault
}

/// Why a case failed: everything a reader needs to understand it without running it again.
public struct Failure: Sendable, Hashable {
    /// The cause.
    public var cause: FailureCause
    /// Where the step is in the suite's file.
    public var position: SourcePosition
    /// The step's line in the file.
    public var step: String
    /// What the step expected, with the parameters' values put in.
    public var expected: String
    /// What came instead.
    public var got: String
    /// When the step began.
    public var started: MonotonicInstant
    /// When it was clear that it failed.
    public var failed: MonotonicInstant
    /// What happened before, oldest first: console, GATT and steps.
    public var context: [BenchEvent]

    /// A failure.
    public init(
        cause: FailureCause, position: SourcePosition, step: String, expected: String, got: String,
        started: MonotonicInstant, failed: MonotonicInstant, context: [BenchEvent]
    ) {
        self.cause = cause
        self.position = position
        self.step = step
        self.expected = expected
        self.got = got
        self.started = started
        self.failed = failed
        self.context = context
    }
}
