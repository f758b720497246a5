import BenchModel

/// A failure as text for reports that other programs show.
struct FailureText: Sendable {
    private let rerun: RerunCommand
    private let failures: CaseFailures

    /// Texts of a run; `rerun` gives the commands that run its cases again.
    init(rerun: RerunCommand, descriptions: SuiteDescriptions) {
        self.rerun = rerun
        failures = CaseFailures(style: TerminalStyle(isColoured: false), descriptions: descriptions)
    }

    /// The details that the console shows of a failure, and the command that runs it again.
    func details(_ instance: InstanceFailure, file: String) -> String {
        let details = failures.details(instance, file: file, indent: 2)
        return "\(instance.name)\n\(details)  run again: \(rerun.text(instance, file: file))\n"
    }

    /// The failure on one line.
    static func line(_ instance: InstanceFailure) -> String {
        "\(instance.name): expected \(instance.failure.expected), got \(instance.failure.got)"
    }

    /// The lines of the board's console before the failure; with several boards, each line has the board's name.
    static func console(_ failure: Failure) -> String {
        failure.context.compactMap { event in
            guard let line = event.payload as? ConsoleLineReceived else { return nil }
            return (event.source == "console" ? "" : "\(event.source): ") + line.text + "\n"
        }.joined()
    }
}

/// The events of a failure that are shown, in order; of many events the most important ones.
struct FailureContext {
    /// The maximum number of shown events.
    static let length = 20
    /// The number of last events that are always shown.
    private static let last = 8

    /// An event, or a number of events that are left out.
    enum Item: Hashable {
        case event(BenchEvent)
        case gap(Int)
    }

    let items: [Item]

    init(_ failure: Failure) {
        // The reported event is shown even if it was discarded because so many events followed.
        var events = failure.context
        var forgotten = failure.forgottenEvents + [Int](repeating: 0, count: events.count)
        if let event = failure.event, !events.contains(event) {
            let index = events.firstIndex { $0.time > event.time } ?? events.count
            events.insert(event, at: index)
            forgotten.insert(0, at: index)
        }
        let isNoise = Self.noise(events, failure)
        let isShown = Self.selection(events, failure.event, isNoise)
        var items: [Item] = []
        var gap = 0
        var omitted: BenchEvent?
        for index in events.indices {
            gap += forgotten[index]
            guard isShown[index] else {
                if !isNoise[index] {
                    gap += 1
                    omitted = events[index]
                }
                continue
            }
            // A mark for one omitted event would take as much room as the event.
            if gap == 1, let former = omitted {
                items.append(.event(former))
            } else if gap > 0 {
                items.append(.gap(gap))
            }
            (gap, omitted) = (0, nil)
            items.append(.event(events[index]))
        }
        self.items = items
    }

    /// True for each of `events` that is redundant in the report: events before the power cycle at the beginning of the
    /// case, a backtrace that is shown decoded, and a panic whose console line is shown.
    private static func noise(_ events: [BenchEvent], _ failure: Failure) -> [Bool] {
        let firstStep = events.firstIndex { $0.payload is StepBegan } ?? events.count
        let start = events[..<firstStep].lastIndex { ($0.payload as? PowerSwitched)?.isOn == true } ?? 0
        let lines = Set(events.compactMap { ($0.payload as? ConsoleLineReceived)?.text })
        return events.indices.map { index in
            switch events[index].payload {
            case _ where index < start: true
            case let line as ConsoleLineReceived:
                !failure.crash.isEmpty && line.text.hasPrefix("Backtrace:") || line.text.hasPrefix("ELF file SHA256:")
            case let panic as PanicDetected: lines.contains(panic.message)
            case let reset as WatchdogResetDetected: lines.contains(reset.message)
            default: false
            }
        }
    }

    /// Selects the events to show, in this priority: the reported event, the last events, steps and traffic, console
    /// lines and servos, other events of the board; newer events before older ones.
    private static func selection(_ events: [BenchEvent], _ reported: BenchEvent?, _ isNoise: [Bool]) -> [Bool] {
        let newestFirst = events.indices.reversed().filter { !isNoise[$0] }
        let order =
            newestFirst.filter { events[$0] == reported } + newestFirst.prefix(last)
            + newestFirst.filter { !events[$0].payload.isFrequent && !isOfTheBoard(events[$0].payload) }
            + newestFirst.filter { !isOfTheBoard(events[$0].payload) } + newestFirst
        var isShown = [Bool](repeating: false, count: events.count)
        var count = 0
        for index in order where !isShown[index] && count < length {
            isShown[index] = true
            count += 1
        }
        return isShown
    }

    /// Events that a board causes at every start.
    private static func isOfTheBoard(_ payload: any EventPayload) -> Bool {
        payload is BoardReset || payload is BootMessage || payload is StorageChanged
    }
}
