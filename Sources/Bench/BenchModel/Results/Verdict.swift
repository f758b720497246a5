public import Console
public import MonotonicTime

/// The result of a case.
public enum Verdict: Sendable, Hashable {
    /// Every step passed.
    case passed
    /// A step failed.
    case failed(Failure)
    /// The case was not run, for this reason.
    case skipped(reason: String)
}

/// The cause of a failure.
public enum FailureCause: String, Sendable, Codable, CaseIterable {
    /// The event or value differs from the step's expectation.
    case assertion
    /// The firmware crashed.
    case panic
    /// A watchdog reset the chip.
    case watchdog
    /// The firmware hangs, undetected by the chip's watchdogs.
    case hang
    /// A sanitizer of the firmware's build reported a fault.
    case sanitizer
    /// The link ended unexpectedly.
    case linkLost
    /// A fault of the central's stack.
    case hostStack
    /// A fault of the bench itself, e.g. a board that cannot be powered.
    case benchFault
    /// The expected event did not occur in time.
    case timedOut
    /// A mistake in the suite or test, e.g. a second connection of one central, or a value that cannot be computed.
    case suite

    /// True if the firmware has ended: it crashed or hung.
    public var isCrash: Bool {
        switch self {
        case .panic, .watchdog, .hang, .sanitizer: true
        case .assertion, .timedOut, .linkLost, .hostStack, .benchFault, .suite: false
        }
    }

    /// True if a radio, or a real machine's stack, may cause this failure occasionally, so that a bench's policy may
    /// repeat the case. After a crash of the firmware or a mistake in a suite, a case is never repeated.
    public var mayBeOfTheRadio: Bool {
        switch self {
        case .assertion, .timedOut, .linkLost, .hostStack, .benchFault: true
        case .panic, .watchdog, .hang, .sanitizer, .suite: false
        }
    }

    /// The cause as reports show it.
    public var text: String {
        switch self {
        case .assertion: "expectation not met"
        case .timedOut: "timed out"
        case .panic: "firmware panic"
        case .watchdog: "firmware watchdog reset"
        case .hang: "firmware hang"
        case .sanitizer: "fault found by a sanitizer"
        case .linkLost: "link lost"
        case .hostStack: "fault of the central's stack"
        case .suite: "mistake in the suite"
        case .benchFault: "fault of the bench"
        }
    }
}

/// A failure of a case, with all data needed to understand it without another run.
public struct Failure: Sendable, Hashable {
    /// The cause.
    public var cause: FailureCause
    /// Where the step is in the suite's file.
    public var position: SourcePosition
    /// The step's line in the file.
    public var step: String
    /// The step's expectation, with the values of the parameters.
    public var expected: String
    /// The event or value that occurred instead.
    public var got: String
    /// When the step began.
    public var started: MonotonicInstant
    /// When the failure was detected.
    public var failed: MonotonicInstant
    /// The last events since the case began, oldest first: steps, GATT and console.
    public var context: [BenchEvent]
    /// The number of discarded events before each element of ``context``; empty: none.
    public var forgottenEvents: [Int] = []
    /// The event that ``got`` reports; `nil`: it reports none.
    public var event: BenchEvent?
    /// The backtrace of the firmware's crash, innermost frame first; empty without a crash or a known program.
    public var crash: [CodeFrame] = []
    /// The board whose firmware crashed, if there are several boards.
    public var board: String?

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
