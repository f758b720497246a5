import MonotonicTime

/// The identity of a run: everything needed to repeat it.
public struct RunInformation: Sendable, Hashable {
    /// A component and its version, e.g. `espbench` `0.7.0`.
    public struct Version: Sendable, Hashable {
        /// The component.
        public var name: String
        /// Its version.
        public var version: String

        /// A version.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// The run's own identifier; one for each call of the program or test process.
    public var id: String
    /// When the run began on the wall's clock, in seconds since the Unix epoch.
    public var wallTime: Int64
    /// The components whose versions decide what happens.
    public var versions: [Version]
    /// The seed of everything random.
    public var seed: UInt64
    /// The name of the bench.
    public var bench: String
    /// The hardware of the bench; `nil` for a virtual one.
    public var hardware: Hardware?

    /// A bench that is hardware.
    public struct Hardware: Sendable, Hashable {
        /// The address of the board's port.
        public var board: String
        /// The address of the centrals' stack.
        public var central: String
        /// The factor by which time limits are longer than in suites.
        public var timeFactor: Double
        /// How often an instance that failed is run again at most.
        public var retries: Int

        /// A bench.
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
    /// Its name in the suite, which is the source of its events.
    public var name: String
    /// Its sketch.
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
    /// The sketch; of several boards the names.
    public var sketch: String
    /// The boards, where there are several; else empty.
    public var boards: [BoardInformation]
    /// How many instances its cases have together.
    public var instanceCount: Int
    /// The build of the sketch; `nil` if not known, and with several boards.
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

    /// The builds of all boards' sketches, each once.
    public var firmwares: [FirmwareInformation] { FirmwareInformation.each(firmware, boards) }
}

/// One item of a run as it happens: an event of the bench, or a result.
public enum RunItem: Sendable {
    /// A suite begins.
    case suiteStarted(SuiteInformation)
    /// Something happened on the bench.
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

/// Receives a run as it happens: a report, a timeline's file, a live page.
///
/// Items come in order, on the bench's executor; a bench waits for its observers.
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

/// The position in the whole run of a part that began on a bench of its own at instant zero.
public struct RunOffset: Hashable, Sendable {
    /// How long the parts before it took on their benches.
    public var time: Duration
    /// How many instances ran in them: the number of the last one.
    public var number: Int
    /// How many instances they had, those that were skipped included.
    public var completed: Int

    /// An offset; the default is that of the first part.
    public init(time: Duration = .zero, number: Int = 0, completed: Int = 0) {
        self.time = time
        self.number = number
        self.completed = completed
    }

    private func moved(_ instant: MonotonicInstant) -> MonotonicInstant { instant.advanced(by: time) }

    /// An event of the part, as the whole run has it.
    public func moved(_ event: BenchEvent) -> BenchEvent {
        var event = event
        event.time = moved(event.time)
        if event.caseNumber > 0 { event.caseNumber += number }
        return event
    }

    /// A result of the part, as the whole run has it.
    public func moved(_ result: CaseResult) -> CaseResult {
        var result = result
        result.started = moved(result.started)
        result.ended = moved(result.ended)
        result.failures = result.failures.map(moved)
        result.retried = result.retried.map(moved)
        result.instances = result.instances.map(moved)
        return result
    }

    /// An item of the part, as the whole run has it.
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
