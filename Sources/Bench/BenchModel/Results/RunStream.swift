import MonotonicTime

/// The identity of a run: all data needed to repeat it.
public struct RunInformation: Sendable, Hashable {
    /// A component and its version, e.g. `espbench` `0.7.0`.
    public struct Version: Sendable, Hashable {
        /// The component.
        public var name: String
        /// The component's version.
        public var version: String

        /// A version.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// The identifier of the run: one for each invocation of the program or test process.
    public var id: String
    /// The wall-clock time at which the run began, in seconds since the Unix epoch.
    public var wallTime: Int64
    /// The versions of components that affect the results.
    public var versions: [Version]
    /// The seed of all random values.
    public var seed: UInt64
    /// The name of the bench.
    public var bench: String
    /// The hardware of the bench; `nil` for a virtual one.
    public var hardware: Hardware?

    /// The hardware of a bench, and its policies.
    public struct Hardware: Sendable, Hashable {
        /// The address of the board's port.
        public var board: String
        /// The address of the centrals' stack.
        public var central: String
        /// The factor by which time limits are longer than in suites.
        public var timeFactor: Double
        /// The maximum number of repetitions of a failed instance.
        public var retries: Int

        /// The hardware of a bench.
        public init(board: String, central: String, timeFactor: Double, retries: Int) {
            self.board = board
            self.central = central
            self.timeFactor = timeFactor
            self.retries = retries
        }
    }

    /// A run.
    public init(id: String = "", wallTime: Int64 = 0, versions: [Version] = [], seed: UInt64, bench: String) {
        self.id = id
        self.wallTime = wallTime
        self.versions = versions
        self.seed = seed
        self.bench = bench
    }
}

/// One of several boards of a suite.
public struct BoardInformation: Sendable, Hashable {
    /// The board's name in the suite, which is also the source of the board's events.
    public var name: String
    /// The board's sketch.
    public var sketch: String
    /// The build of the sketch; `nil` if not known.
    public var firmware: FirmwareInformation?

    /// A board.
    public init(name: String, sketch: String, firmware: FirmwareInformation? = nil) {
        self.name = name
        self.sketch = sketch
        self.firmware = firmware
    }
}

/// A suite as a run announces it.
public struct SuiteInformation: Sendable, Hashable {
    /// The suite's name.
    public var name: String
    /// The suite's file.
    public var file: String
    /// The sketch; with several boards, their names.
    public var sketch: String
    /// The boards, where there are several; else empty.
    public var boards: [BoardInformation]
    /// The total number of instances of its cases.
    public var instanceCount: Int
    /// The build of the sketch; `nil` if not known, or with several boards.
    public var firmware: FirmwareInformation?

    /// A suite.
    public init(
        name: String, file: String, sketch: String, boards: [BoardInformation] = [], instanceCount: Int,
        firmware: FirmwareInformation? = nil
    ) {
        self.firmware = firmware
        self.name = name
        self.file = file
        self.sketch = sketch
        self.boards = boards
        self.instanceCount = instanceCount
    }

    /// The distinct builds of all boards' sketches.
    public var firmwares: [FirmwareInformation] { FirmwareInformation.each(firmware, boards) }
}

/// One item in the stream of a run: an event of the bench, or a result.
public enum RunItem: Sendable {
    /// A suite begins.
    case suiteStarted(SuiteInformation)
    /// An event on the bench.
    case event(BenchEvent)
    /// The number of ended instances of a suite has changed.
    case advanced(completed: Int, of: SuiteInformation)
    /// An instance of a case has ended.
    case instanceEnded(InstanceResult)
    /// A case of a suite has ended, with all its instances.
    case caseEnded(CaseResult, of: SuiteInformation)
    /// The suite has ended.
    case suiteEnded(SuiteResult)
}

/// Receives the items of a run while it is in progress: a report, a timeline's file, or a live page.
///
/// Items are delivered in order, on the bench's executor; the bench waits for its observers.
public protocol RunObserver: AnyObject, Sendable {
    /// True if it wants every ``RunItem/event(_:)``: on a virtual bench there are many, and each takes time.
    var wantsEvents: Bool { get }

    /// True if it wants every ``RunItem/instanceEnded(_:)``.
    var wantsInstances: Bool { get }

    /// Receives an item.
    func receive(_ item: RunItem)
}

extension RunObserver {
    /// By default an observer wants results only.
    public var wantsEvents: Bool { false }

    /// By default an observer wants no instances.
    public var wantsInstances: Bool { false }
}

/// The offset, within the whole run, of a part that runs on its own bench from instant zero on.
public struct RunOffset: Hashable, Sendable {
    /// The total duration of the earlier parts, on their benches' clocks.
    public var time: Duration
    /// The number of the last instance that ran in the earlier parts.
    public var number: Int
    /// The number of instances in the earlier parts, including skipped ones.
    public var completed: Int

    /// An offset; the default is that of the first part.
    public init(time: Duration = .zero, number: Int = 0, completed: Int = 0) {
        self.time = time
        self.number = number
        self.completed = completed
    }

    private func moved(_ instant: MonotonicInstant) -> MonotonicInstant { instant.advanced(by: time) }

    /// An event of the part, with its time and number in the whole run.
    public func moved(_ event: BenchEvent) -> BenchEvent {
        var event = event
        event.time = moved(event.time)
        if event.caseNumber > 0 { event.caseNumber += number }
        return event
    }

    /// A result of the part, with its times and numbers in the whole run.
    public func moved(_ result: CaseResult) -> CaseResult {
        var result = result
        result.started = moved(result.started)
        result.ended = moved(result.ended)
        result.failures = result.failures.map(moved)
        result.retried = result.retried.map(moved)
        result.instances = result.instances.map(moved)
        return result
    }

    /// An item of the part, with its times and numbers in the whole run.
    public func moved(_ item: RunItem) -> RunItem {
        switch item {
        case .event(let event): .event(moved(event))
        case .instanceEnded(let instance): .instanceEnded(moved(instance))
        case .advanced(let completed, let suite): .advanced(completed: completed + self.completed, of: suite)
        case .caseEnded(let result, let suite): .caseEnded(moved(result), of: suite)
        case .suiteStarted, .suiteEnded: item
        }
    }

    private func moved(_ instance: InstanceResult) -> InstanceResult {
        var instance = instance
        if instance.number > 0 { instance.number += number }
        instance.started = moved(instance.started)
        instance.ended = moved(instance.ended)
        if case .failed(let failure) = instance.verdict { instance.verdict = .failed(moved(failure)) }
        instance.formerFailures = instance.formerFailures.map(moved)
        return instance
    }

    private func moved(_ instance: InstanceFailure) -> InstanceFailure {
        var instance = instance
        instance.started = moved(instance.started)
        instance.failure = moved(instance.failure)
        instance.formerFailures = instance.formerFailures.map(moved)
        return instance
    }

    private func moved(_ failure: Failure) -> Failure {
        var failure = failure
        failure.started = moved(failure.started)
        failure.failed = moved(failure.failed)
        failure.context = failure.context.map(moved)
        failure.event = failure.event.map { moved($0) }
        return failure
    }
}

extension Duration {
    /// The duration as reports show it, in the unit that fits: `12.345 ms`, `2 s`, `20 µs`.
    public var brief: String {
        let nanoseconds = wholeNanoseconds
        switch nanoseconds.magnitude {
        case 1_000_000_000...: return Self.decimal(nanoseconds, per: 1_000_000_000) + " s"
        case 1_000_000...: return Self.decimal(nanoseconds, per: 1_000_000) + " ms"
        case 1_000...: return Self.decimal(nanoseconds, per: 1_000) + " µs"
        default: return "\(nanoseconds) ns"
        }
    }

    /// `value / unit` with at most three digits after the point, rounded towards zero.
    private static func decimal(_ value: Int64, per unit: Int64) -> String {
        let thousandths = value.magnitude / UInt64(unit / 1000)
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        let sign = value < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(whole)" }
        var digits = String(fraction + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}
