import ArgumentParser
internal import BenchExecutor
import CommandSupport
import SerialPort

/// `espbench ports`.
struct PortsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ports",
        abstract: "List the serial ports of this machine, and what is on them.",
        discussion: """
            Lists USB bridges, ESP32s on USB, and the machine's own UARTs; ports of other machines (socket://, \
            rfc2217://) cannot be listed. 'auto', and a command for the only board without --port, use the only port \
            with a USB bridge of the kinds on ESP boards, or else the only USB port.
            """)

    @Flag(help: "Print a JSON array; with --watch, a line with a JSON object for each event.")
    var json = false

    @Flag(help: "Then print ports as they appear (+) and disappear (-), until Ctrl-C.")
    var watch = false

    @Flag(help: "Ask the chips for their names and MAC addresses. This resets the boards.")
    var probe = false

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "With --probe: ask the board on this port, instead of those on all bridges. Repeatable.",
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    var ports: [PortSelector] = []

    func validate() throws {
        if !ports.isEmpty, !probe { throw ValidationError("--port needs --probe.") }
        if !ports.isEmpty, watch { throw ValidationError("--port and --watch exclude each other.") }
    }

    func run() throws {
        // Leaving a pager closes the pipe, which ends the output and is not a failure.
        StandardStreams.ignoreClosedPipes()
        let environment = Environment.process
        let output = Output(environment)
        let (json, watch, probe, selectors) = (json, watch, probe, ports)
        try CommandRunner.run(output, allowsClosedPipe: true) { executor in
            var listing = PortListing(probes: probe)
            if selectors.isEmpty {
                try await listing.read()
            } else {
                try await listing.read(only: try await PortChoice(environment, output).addresses(selectors))
            }
            if watch {
                var watching = PortWatch(listing: listing, isJSON: json, BenchClock(executor), output)
                try await watching.run()
            } else if json {
                output.data(try JSONLine.text(listing.records) + "\n")
            } else {
                output.data(PortTable.text(listing.records, showsBoards: probe))
                if listing.records.isEmpty { output.note("there is no serial port") }
            }
            return .passed
        }
    }
}
