public import MonotonicTime

/// The result of one run of one suite.
public struct SuiteResult: Sendable, Hashable {
    /// The suite's name.
    public var name: String
    /// The suite's file, as the user named it.
    public var file: String
    /// The sketch; with several boards, their names.
    public var sketch: String
    /// The build of the sketch; `nil` if not known, or with several boards.
    public var firmware: FirmwareInformation?
    /// The boards, where there are several; else empty.
    public var boards: [BoardInformation]
    /// The run to which the result belongs.
    public var run: RunInformation
    /// The cases in order.
    public var cases: [CaseResult]
    /// When the run began, on the bench's clock.
    public var started: MonotonicInstant
    /// When it ended, on the bench's clock.
    public var ended: MonotonicInstant

    /// A result.
    public init(
        name: String, file: String, sketch: String, boards: [BoardInformation] = [],
        firmware: FirmwareInformation? = nil, run: RunInformation, cases: [CaseResult], started: MonotonicInstant,
        ended: MonotonicInstant
    ) {
        self.firmware = firmware
        self.name = name
        self.file = file
        self.sketch = sketch
        self.boards = boards
        self.run = run
        self.cases = cases
        self.started = started
        self.ended = ended
    }

    /// The distinct builds of all boards' sketches.
    public var firmwares: [FirmwareInformation] { FirmwareInformation.each(firmware, boards) }

    /// The numbers of passed, failed and skipped instances.
    public var counts: VerdictCounts {
        cases.reduce(into: VerdictCounts()) { $0.add($1.counts) }
    }

    /// The failed instances in order.
    public var failures: [InstanceFailure] { cases.flatMap(\.failures) }
}

/// The result of one case with all its instances. Passed instances are only counted, unless the run keeps every
/// instance.
public struct CaseResult: Sendable, Hashable {
    /// The case's name with its places, e.g. `multiplies {a} and {b}`.
    public var name: String
    /// Where the case is in the suite's file.
    public var position: SourcePosition
    /// The tags of the case and its suite.
    public var tags: [String] = []
    /// The number of instances from which the sample was drawn; `nil`: no sample.
    public var sampledFrom: Int?
    /// The numbers of passed, failed and skipped instances.
    public var counts = VerdictCounts()
    /// The failed instances in order.
    public var failures: [InstanceFailure] = []
    /// The instances that passed only when they were run again, in order; each with its last failure.
    public var retried: [InstanceFailure] = []
    /// Why instances were skipped, if any were.
    public var skipReason: String?
    /// Every instance in order, if the run keeps instances.
    public var instances: [InstanceResult] = []
    /// When the first instance began, on the bench's clock.
    public var started: MonotonicInstant
    /// When the last instance ended.
    public var ended: MonotonicInstant

    /// A case that has not run.
    public init(name: String, position: SourcePosition, started: MonotonicInstant) {
        self.name = name
        self.position = position
        self.started = started
        ended = started
    }
}

/// One instance of a case.
public struct InstanceResult: Sendable, Hashable {
    /// The instance's name, with the parameters' values.
    public var name: String
    /// The number of the instance in the timeline's events; 0 if it was not run.
    public var number: Int
    /// The position of the instance's case in the suite's file; `nil`: unknown.
    public var position: SourcePosition?
    /// The result of the instance.
    public var verdict: Verdict
    /// The failures of earlier attempts, in order.
    public var formerFailures: [Failure] = []
    /// When it began, on the bench's clock.
    public var started: MonotonicInstant
    /// When the instance ended.
    public var ended: MonotonicInstant

    /// An instance.
    public init(
        name: String, number: Int, position: SourcePosition? = nil, verdict: Verdict, started: MonotonicInstant,
        ended: MonotonicInstant
    ) {
        self.name = name
        self.number = number
        self.position = position
        self.verdict = verdict
        self.started = started
        self.ended = ended
    }
}

/// One failed instance of a case.
public struct InstanceFailure: Sendable, Hashable {
    /// A parameter of a case and its value in an instance.
    public struct Parameter: Sendable, Hashable {
        /// The parameter's name.
        public var name: String
        /// The parameter's value.
        public var value: Int64

        /// A parameter.
        public init(name: String, value: Int64) {
            self.name = name
            self.value = value
        }
    }

    /// The instance's name, with the parameters' values.
    public var name: String
    /// The parameters, in the order of the suite's file.
    public var parameters: [Parameter]
    /// When the instance began, on the bench's clock.
    public var started: MonotonicInstant
    /// The failure of the last attempt.
    public var failure: Failure
    /// The failures of earlier attempts, in order.
    public var formerFailures: [Failure]

    /// A failed instance; without `started`, its beginning is that of the failed step.
    public init(
        name: String, parameters: [Parameter] = [], started: MonotonicInstant? = nil, failure: Failure,
        after formerFailures: [Failure] = []
    ) {
        self.formerFailures = formerFailures
        self.name = name
        self.parameters = parameters
        self.started = started ?? failure.started
        self.failure = failure
    }
}

/// The numbers of instances by result.
public struct VerdictCounts: Sendable, Hashable, Codable {
    /// The number of passed instances.
    public var passed = 0
    /// The number of failed instances.
    public var failed = 0
    /// The number of instances that were not run.
    public var skipped = 0
    /// The number of instances that passed only when they were run again; ``passed`` includes them.
    public var retried = 0

    /// All counts are 0.
    public init() {}

    /// The total number of instances.
    public var total: Int { passed + failed + skipped }

    /// Adds the counts of `other`.
    public mutating func add(_ other: VerdictCounts) {
        passed += other.passed
        failed += other.failed
        skipped += other.skipped
        retried += other.retried
    }
}

/// The toolchain and libraries that a suite's sketch was built with.
public struct FirmwareInformation: Sendable, Hashable {
    /// The NimBLE library in the firmware, with version and kind: `NimBLE-Arduino 2.5.1 (library)`, or `(built-in)`.
    public var nimble: String
    /// True if the firmware checks itself with AddressSanitizer and UndefinedBehaviorSanitizer.
    public var isSanitized: Bool

    /// A firmware for the virtual board.
    public init(nimble: String, isSanitized: Bool = false) {
        self.nimble = nimble
        self.isSanitized = isSanitized
    }

    /// The distinct builds of a suite's board or boards.
    static func each(_ firmware: Self?, _ boards: [BoardInformation]) -> [Self] {
        var all: [Self] = []
        for case let firmware? in [firmware] + boards.map(\.firmware) where !all.contains(firmware) {
            all.append(firmware)
        }
        return all
    }

    /// Writes its keys.
    public func write(to json: inout JSONWriter) {
        json.string("nimble", nimble)
        if isSanitized { json.bool("sanitized", true) }
    }
}

/// A chip's heap in bytes, as reported by `ESP.getHeapSize()`, `getFreeHeap()` and `getMinFreeHeap()`.
public struct BoardHeap: Sendable, Hashable, Encodable {
    /// The size of the heap, including the headers of blocks.
    public var size: Int
    /// The number of free bytes.
    public var free: Int
    /// The minimum number of free bytes since the application started.
    public var minimumFree: Int

    /// A heap.
    public init(size: Int, free: Int, minimumFree: Int) {
        self.size = size
        self.free = free
        self.minimumFree = minimumFree
    }
}
