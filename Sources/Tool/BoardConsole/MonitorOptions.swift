import ArgumentParser
import BenchModel
internal import BenchReports
import CommandSupport
package import Console

/// The options of `espbench monitor`.
package struct MonitorOptions: ParsableArguments {
    @OptionGroup package var console: ConsoleOptions

    @Flag(help: "Restart the board first, and show only what it prints from then on; otherwise it keeps running.")
    package var reset = false

    @Option(
        help: ArgumentHelp(
            "The board's program with debug information: code addresses are shown with function, file and line, panics of "
                + "RISC-V chips with a backtrace. Repeatable.",
            valueName: "file"), completion: .file(extensions: ["elf"]))
    package var elf: [String] = []

    package init() {}
}

/// The options for a board's console: filters, texts to send, and ends.
package struct ConsoleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Bits per second of the console. (default: 115200)", valueName: "rate"),
        transform: NumberOption.within(1...Int.max))
    package var baud = 115_200

    @Option(help: "Show text, a hex dump, or the raw bytes.")
    package var view = MonitorView.Kind.text

    @Option(
        help: """
            Time stamps: seconds since the last start of the board (or of the monitor), the host's time, the time since \
            the previous line, or none.
            """)
    package var timestamps = LineStamps.Kind.board

    @Option(
        help: ArgumentHelp(
            "Show only some lines of the log: TAG:LEVEL items, e.g. 'wifi:W *:I'; levels N, E, W, I, D, V.",
            valueName: "filter"), transform: Self.filter)
    package var filter: LogFilter = .all

    @Option(name: .customLong("color"), help: "Keep the board's colours, and colour its log by level.")
    package var colour = ColourChoice.auto

    @Flag(help: "Print lines as JSON objects.")
    package var json = false

    @OptionGroup package var logging: LogOptions

    @Option(help: "What Enter sends.")
    package var eol = LineEnding.lf

    @Option(help: ArgumentHelp("Send this line at the beginning. Repeatable.", valueName: "text"))
    package var send: [String] = []

    @Option(
        help: ArgumentHelp("Send only after a line that matches.", valueName: "regex"), transform: Self.expression)
    var sendAfter: String?

    @Option(
        help: ArgumentHelp("End with exit code 0 at a line that matches.", valueName: "regex"),
        transform: Self.expression)
    package var until: String?

    @Option(
        help: ArgumentHelp("End with exit code 13 at a line that matches.", valueName: "regex"),
        transform: Self.expression)
    package var failOn: String?

    @Option(
        help: ArgumentHelp(
            "End after this time, e.g. 10s; with --until, this is a failure with exit code 12.", valueName: "time"),
        transform: TimeOption.duration)
    package var timeout: Duration?

    @Flag(help: "End with exit code 9 when the connection is lost; otherwise wait for the port.")
    package var noReconnect = false

    package func validate() throws {
        if sendAfter != nil, send.isEmpty { throw ValidationError("--send-after needs --send.") }
        if json, view != .text { throw ValidationError("--json shows lines: it cannot be combined with --view.") }
    }

    /// The options without effect on the console of the board that `board` selects.
    package func unusedOptions(_ board: BoardOptions) -> [UnusedOptions] {
        let json = UnusedOptions(
            ["--timestamps", "--color"], "objects have the time, and no colours")
        let virtual = UnusedOptions(
            ["--baud", "--no-reconnect"], "the line of the virtual board has no rate, and is never lost")
        let real = UnusedOptions(["--flash-file"], "it is the file of a virtual board, and --port is given")
        return (self.json ? [json] : []) + [board.port == nil ? virtual : real]
    }

    private static func filter(_ text: String) throws -> LogFilter {
        do {
            return try LogFilter(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    package static func expression(_ text: String) throws -> String {
        do {
            _ = try LinePattern(text)
            return text
        } catch {
            throw ValidationError("'\(text)' is not a regular expression: \(error)")
        }
    }

    package init() {}
}

extension MonitorView.Kind: ExpressibleByArgument {}
extension LineStamps.Kind: ExpressibleByArgument {}
extension LineEnding: ExpressibleByArgument {}

extension MonitorSettings {
    /// The settings of a monitor without options.
    package init(_ environment: Environment) {
        self.init()
        hasColours = environment.allowsColour(environment.outputIsTerminal)
    }

    /// The settings of the command line.
    package init(_ options: ConsoleOptions, _ environment: Environment, resets: Bool = false) {
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
