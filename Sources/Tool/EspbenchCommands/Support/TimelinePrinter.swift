import BenchModel
internal import BenchReports
internal import BLEDescriptions
internal import LogFiles
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Prints the wanted events of a timeline's file while it is read: a file of any size takes little memory.
struct TimelinePrinter {
    /// How much is read at a time, in bytes.
    private static let chunkSize = 256 * 1024
    /// How many names of cases are remembered for a message.
    private static let knownCases = 1000
    /// How many of them it lists.
    private static let listedCases = 8

    private var filter: TimelineFilter
    private var text: TimelineText
    private let output: Output
    private var pending = ""
    private var hasShown = false
    /// The names of the first cases that are there, for who asks for one that is not.
    private var caseNames: [String] = []

    /// A printer of what `filter` wants.
    init(filter: TimelineFilter, descriptions: [PeripheralDescription], output: Output) {
        self.filter = filter
        self.output = output
        text = TimelineText(style: output.dataStyle, descriptions: descriptions)
    }

    /// Prints the timeline at `path`; `-` is standard input.
    ///
    /// - Parameter cases: the cases that were asked for.
    /// - Throws: ``CommandFailure`` when it cannot be read to its end, or has none of the cases. What was read before a
    ///   fault is printed.
    mutating func print(_ path: String, cases: [String]) throws(CommandFailure) {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(name, .last) }
        defer { if path != "-" { close(descriptor) } }
        var reader = TimelineReader()
        while !output.isDataLost {
            let bytes = try Self.nextBytes(descriptor, name)
            do throws(TimelineError) {
                for event in try reader.read(bytes) { receive(event) }
                if bytes.isEmpty { try reader.finish() }
            } catch {
                flush()
                throw CommandFailure(.nothingRan, "\(name):\(error.line): \(error.message)", code: "timeline.invalid")
            }
            flush()
            guard bytes.isEmpty else { continue }
            try checkCases(cases, name)
            if !hasShown { output.note("no event in \(name) is as wanted") }
            return
        }
    }

    private mutating func receive(_ event: BenchEvent) {
        if let began = event.payload as? CaseBegan, caseNames.count < Self.knownCases { caseNames.append(began.name) }
        if filter.isWanted(event) {
            if !hasShown { pending += text.heading }
            hasShown = true
            pending += text.text(event)
            if pending.utf8.count > Self.chunkSize { flush() }
        } else {
            text.skip(event)
        }
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        output.data(pending)
        pending = ""
    }

    private func checkCases(_ cases: [String], _ name: String) throws(CommandFailure) {
        guard !filter.hasFoundCase else { return }
        let wanted = cases.map { "'\($0)'" + Suggestion.text(for: $0, in: caseNames) }.joined(separator: " or ")
        let known = caseNames.prefix(Self.listedCases).map { "'\($0)'" }.joined(separator: ", ")
        let rest = caseNames.count > Self.listedCases ? " and others" : ""
        throw CommandFailure(
            .nothingRan,
            "\(name) has no case \(wanted)" + (known.isEmpty ? ": it has none" : "; it has \(known)\(rest)"),
            code: "timeline.noCase")
    }

    // MARK: The file

    /// The next bytes; none at the end.
    private static func nextBytes(_ descriptor: Int32, _ name: String) throws(CommandFailure) -> [UInt8] {
        while true {
            var fault: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
                let size = read(descriptor, buffer.baseAddress, buffer.count)
                if size < 0 { fault = errno }
                count = max(0, size)
            }
            if fault == 0 { return bytes }
            guard fault == EINTR else { throw unreadable(name, SystemFault(fault)) }
        }
    }

    private static func unreadable(_ name: String, _ fault: SystemFault) -> CommandFailure {
        CommandFailure(.nothingRan, "\(name) could not be read: \(fault)", code: "timeline.file")
    }
}

/// Shows each suite's cases as they end, unless the results are printed as JSON.
final class RunProgress: RunObserver {
    /// The reason of the request to end a run whose results cannot be shown.
    static let dataLoss = "the loss of standard output"

    private struct State {
        /// The heading of the suite, until something is shown below it.
        var heading = ""
        /// The first instance of a case, until there is a second one: a single instance is shown as its case.
        var first: InstanceResult?
        var instances = 0
    }

    private let output: Output
    private let report: ConsoleReport
    private let interruption: Interruption
    private let isJSON: Bool
    private let verbosity: Verbosity
    private let state = Mutex(State())

    /// The progress of a run.
    init(
        _ report: ConsoleReport, _ output: Output, isJSON: Bool, _ verbosity: Verbosity = .normal,
        _ interruption: Interruption
    ) {
        self.verbosity = verbosity
        self.report = report
        self.output = output
        self.isJSON = isJSON
        self.interruption = interruption
    }

    func receive(_ item: RunItem) {
        switch item {
        case .suiteStarted(let suite):
            state.withLock { $0.heading = report.heading(suite) }
            if verbosity != .quiet { showHeading() }
        case .advanced(let completed, let suite):
            output.progress(suite.name, completed: completed, of: suite.instanceCount)
        case .instanceEnded(let result): show(result)
        case .caseEnded(let result, let suite):
            state.withLock { $0.instances = 0 }
            guard verbosity != .quiet || result.counts.failed > 0 else { return }
            showHeading()
            show(report.text(result, file: suite.file))
        case .event, .suiteEnded: break
        }
    }

    var wantsInstances: Bool { verbosity == .verbose }

    private func show(_ instance: InstanceResult) {
        guard verbosity == .verbose else { return }
        let due = state.withLock { state -> [InstanceResult] in
            state.instances += 1
            if state.instances == 1 {
                state.first = instance
                return []
            }
            let first = state.first
            state.first = nil
            return (first.map { [$0] } ?? []) + [instance]
        }
        for instance in due { show(report.text(instance)) }
    }

    private func showHeading() {
        let heading = state.withLock { state in
            defer { state.heading = "" }
            return state.heading
        }
        if !heading.isEmpty { show(heading) }
    }

    private func show(_ text: String) {
        guard !isJSON else { return }
        output.data(text)
        if output.isDataLost { interruption.request(Self.dataLoss) }
    }
}
