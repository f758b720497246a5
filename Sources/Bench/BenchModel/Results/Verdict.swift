public import Console
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
    /// Something else came than the step expects.
    case assertion
    /// The firmware crashed.
    case panic
    /// A watchdog reset the chip.
    case watchdog
    /// The firmware hangs where no watchdog of the chip looks.
    case hang
    /// A sanitizer of the firmware's build reported a fault.
    case sanitizer
    /// The link ended unexpectedly.
    case linkLost
    /// A fault of the central's stack.
    case hostStack
    /// A fault of the bench itself: a board that cannot be powered.
    case benchFault
    /// The expected event did not come in time.
    case timedOut
    /// A mistake in the suite or test: a second connection of one central, a value that cannot be computed.
    case suite

    /// True if the firmware has ended: it crashed or hung.
    public var isCrash: Bool {
        switch self {
        case .panic, .watchdog, .hang, .sanitizer: true
        case .assertion, .timedOut, .linkLost, .hostStack, .benchFault, .suite: false
        }
    }

    /// True if a radio, or a stack on a real machine, may cause it now and then, so that a bench's policy may have the
    /// case run again: crashes of the firmware and mistakes in suites are never repeated.
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

/// Why a case failed: everything a reader needs to understand it without running it again.
public struct Failure: Sendable, Hashable {
    /// The cause.
    public var cause: FailureCause
    /// Where the step is in the suite's file.
    public var position: SourcePosition
    /// The step's line in the file.
    public var step: String
    /// The step's expectation, with the parameters' values put in.
    public var expected: String
    /// The event or value that occurred instead.
    public var got: String
    /// When the step began.
    public var started: MonotonicInstant
    /// When it was clear that it failed.
    public var failed: MonotonicInstant
    /// The events since the case began, oldest first: steps, GATT and console; of many events the last ones.
    public var context: [BenchEvent]
    /// The number of forgotten events before each one of ``context``; empty: none.
    public var forgottenEvents: [Int] = []
    /// The event that ``got`` reports, where it is one.
    public var event: BenchEvent?
    /// Where the firmware crashed, innermost first; empty when it did not, or its program is not known.
    public var crash: [CodeFrame] = []
    /// The board whose firmware crashed, where there are several boards.
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
