import ArgumentParser
import BenchModel
internal import BenchReports
import BenchSuites
import CommandSupport

/// `espbench show`.
struct Show: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a timeline that 'test --timeline' has written.",
        discussion: """
            Each line has the time on the bench's clock and since the case began, in seconds, the source of the event, \
            and what happened. HCI, L2CAP, ATT and SMP packets are decoded: → is from the host to its controller, ← \
            the other way, and attributes have the names that the suite gives them. Every timeline has packets; --kind \
            leaves them out, or shows only them. 'espbench help timeline' describes the format.
            """)

    /// The kinds of events, for the help.
    private static let kinds = EventKinds.all.map { $0.kind }

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp(
            "Show only the cases of this name; * stands for any text, ? for one character. Repeatable.",
            valueName: "name"))
    var cases: [String] = []

    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp(
            "Show only events of this kind. Repeatable. The kinds are \(kinds.joined(separator: ", ")).",
            valueName: "kind"),
        completion: .list(kinds))
    var kinds: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Show only events around this time, e.g. 1.2s: with --case, the time since the case began, else the time on \
            the bench's clock.
            """,
            valueName: "time"), transform: Self.duration)
    var around: Duration?

    @Option(
        help: ArgumentHelp(
            "With --around: how long before and after it; 100ms if not given.", valueName: "time"),
        transform: Self.duration)
    var window: Duration?

    @Flag(help: "Print the events in the timeline's format: one JSON object per line.")
    var json = false

    @Flag(
        help: """
            Print pins, PWM signals, analog values, parts, UARTs and buses as a VCD file, for GTKWave or PulseView: an I²C \
            bus also as the levels of SDA and SCL.
            """)
    var vcd = false

    @OptionGroup var described: DescriptionOption

    @Argument(
        help: ArgumentHelp("The timeline; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var file: String

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw ValidationError("Expected a time with a unit (us, ms, s or min) such as 1.2s, got '\(text)'.")
        }
        return duration
    }

    func validate() throws {
        if json, vcd { throw ValidationError("--json and --vcd exclude each other.") }
        if window != nil, around == nil { throw ValidationError("--window needs --around.") }
        for kind in kinds where !Self.kinds.contains(kind) {
            let suggestion = Suggestion.text(for: kind, in: Self.kinds)
            throw ValidationError(
                "There is no kind '\(kind)'\(suggestion); the kinds are \(Self.kinds.joined(separator: ", ")).")
        }
    }

    var unusedOptions: [UnusedOptions] {
        if json { return [UnusedOptions(["--describe"], "--json prints the events as they were written")] }
        return vcd ? [UnusedOptions(["--describe"], "--vcd prints levels and bytes")] : []
    }

    private var format: TimelinePrinter.Format { json ? .json : vcd ? .waveform : .text }

    func run() throws {
        // Leaving a pager closes the pipe, which ends the output and is not a failure.
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        let patterns = cases.map { NamePattern($0) }
        let isCaseWanted: TimelineFilter.CaseMatch = { name in patterns.contains { $0.matches(name) } }
        let filter = TimelineFilter(
            cases: patterns.isEmpty ? nil : isCaseWanted, kinds: Set(kinds),
            around: around.map { ($0, window ?? .milliseconds(100)) })
        let (file, given, described, format) = (file, cases, described, format)
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            var printer = try TimelinePrinter(
                filter: filter, descriptions: described.given(), format, output: output)
            try printer.print(file, cases: given)
            return .passed
        }
    }
}
