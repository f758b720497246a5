import ArgumentParser
import BenchModel
internal import BenchReports
internal import Console

/// The options of `espbench monitor`.
struct MonitorOptions: ParsableArguments {
    @OptionGroup var console: ConsoleOptions

    @Flag(help: "Restart the board first, and show only what it prints from then on; otherwise it keeps running.")
    var reset = false

    @Option(
        help: ArgumentHelp(
            "The board's program with debug information: code addresses are shown with function, file and line, panics of "
                + "RISC-V chips with a backtrace. Repeatable.",
            valueName: "file"), completion: .file(extensions: ["elf"]))
    var elf: [String] = []
}

/// What the console of a board shows, sends and waits for.
struct ConsoleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bits per second of the console.", valueName: "rate"))
    var baud = 115_200

    @Option(help: "Show text, a hex dump, or the raw bytes.")
    var view = MonitorView.Kind.text

    @Option(help: "Time stamps: seconds of the board's run, the host's time, since the line before, or none.")
    var timestamps = LineStamps.Kind.board

    @Option(
        help: ArgumentHelp(
            "Show only some lines of the log: TAG:LEVEL items, e.g. 'wifi:W *:I'; levels N, E, W, I, D, V.",
            valueName: "filter"), transform: Self.filter)
    var filter: LogFilter = .all

    @Option(name: .customLong("color"), help: "Keep the board's colours, and colour its log by level.")
    var colour = ColourChoice.auto

    @Flag(help: "Print lines as JSON objects.")
    var json = false

    @OptionGroup var logging: LogOptions

    @Option(help: "What Enter sends.")
    var eol = LineEnding.lf

    @Option(help: ArgumentHelp("Send this line at the beginning. Repeatable.", valueName: "text"))
    var send: [String] = []

    @Option(
        help: ArgumentHelp("Send only after a line that matches.", valueName: "regex"), transform: Self.expression)
    var sendAfter: String?

    @Option(
        help: ArgumentHelp("End with exit code 0 at a line that matches.", valueName: "regex"),
        transform: Self.expression)
    var until: String?

    @Option(
        help: ArgumentHelp("End with exit code 13 at a line that matches.", valueName: "regex"),
        transform: Self.expression)
    var failOn: String?

    @Option(
        help: ArgumentHelp(
            "End after this time, e.g. 10s: with --until as a failure, exit code 12.", valueName: "time"),
        transform: TimeOption.duration)
    var timeout: Duration?

    @Flag(help: "End with exit code 9 when the connection is lost; otherwise wait for the port.")
    var noReconnect = false

    func validate() throws {
        guard baud > 0 else { throw ValidationError("--baud expects a rate of bits per second, got \(baud).") }
        if sendAfter != nil, send.isEmpty { throw ValidationError("--send-after needs --send.") }
        if json, view != .text { throw ValidationError("--json shows lines: it cannot be combined with --view.") }
    }

    private static func filter(_ text: String) throws -> LogFilter {
        do {
            return try LogFilter(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    static func expression(_ text: String) throws -> String {
        do {
            _ = try LinePattern(text)
            return text
        } catch {
            throw ValidationError("'\(text)' is not a regular expression: \(error)")
        }
    }

}

extension MonitorView.Kind: ExpressibleByArgument {}
extension LineStamps.Kind: ExpressibleByArgument {}
extension LineEnding: ExpressibleByArgument {}

extension MonitorSettings {
    /// Those of a monitor without options.
    init(_ environment: Environment) {
        self.init()
        hasColours = environment.allowsColour(environment.outputIsTerminal)
    }

    /// Those of the command line.
    init(_ options: ConsoleOptions, _ environment: Environment, resets: Bool = false) {
        self.init(environment)
        self.resets = resets
        hasColours = environment.allowsColour(environment.outputIsTerminal, options.colour)
        view = options.view
        stamps = options.timestamps
        filter = options.filter
        isJSON = options.json
        lineEnding = options.eol
        sends = options.send
        sendAfter = options.sendAfter
        until = options.until
        failOn = options.failOn
        timeout = options.timeout
        log = options.logging.log
        rotation = options.logging.rotation
    }
}

/// Times on the command line.
enum TimeOption {
    /// Reads a time with its unit.
    ///
    /// - Throws: `ValidationError`.
    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw ValidationError("Expected a time with a unit (us, ms, s or min) such as 10s, got '\(text)'.")
        }
        return duration
    }
}
