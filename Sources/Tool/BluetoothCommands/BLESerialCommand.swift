import ArgumentParser
internal import BenchExecutor
internal import BLECentral
internal import BLEClients
import BoardConsole
import CommandSupport
internal import Console
import Foundation
import MonotonicTime
import SerialPort
import SerialPOSIX

/// `espbench ble-serial`.
struct BLESerialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-serial",
        abstract: "Talk to a board over BLE as over a serial line.",
        discussion: """
            Finds a board with the service of an HM-10 (FFE0) or the Nordic UART Service, connects, sends what is \
            typed and shows what is received. At a terminal the keys are those of 'espbench monitor': Ctrl-] leaves. \
            The input of a program is sent as it is; the command ends when all of it is sent and nothing has been \
            received for 1 s.

            With --pty other programs get the line as a serial port, one at a time; the rate that they set has no effect.

            Reconnects after a lost connection. The command ends when the Bluetooth stack, or the program that serves \
            it, ends. Up to 64 KiB wait for a connection. Bytes in transit when the connection was lost are reported, \
            unless the board numbers its bytes and receives these bytes again. Up to 1 MiB of received bytes wait for \
            a reader.
            """)

    @OptionGroup var line: BLESerialOptions

    @Option(help: "What Enter, or LF in the input, sends.")
    var eol = LineEnding.lf

    @Option(help: "Show the raw bytes, text in lines with time stamps, or a hex dump.")
    var view = MonitorView.Kind.raw

    @Option(
        help: ArgumentHelp("Append all that is received to this file.", valueName: "file"), completion: .file())
    var log: String?

    @Option(help: ArgumentHelp("Send this line at the beginning. Repeatable.", valueName: "text"))
    var send: [String] = []

    @Option(
        help: ArgumentHelp("End with exit code 0 at a line that matches.", valueName: "regex"),
        transform: ConsoleOptions.expression)
    var until: String?

    @Option(
        help: ArgumentHelp(
            "End after this time, e.g. 10s; with --until, this is a failure with exit code 12.", valueName: "time"),
        transform: TimeOption.duration)
    var timeout: Duration?

    @Flag(help: "Offer the line as a pseudo-terminal, and print its path.")
    var pty = false

    @Option(
        name: .customLong("pty-link"),
        help: ArgumentHelp("Create a link to the pseudo-terminal here; implies --pty.", valueName: "file"),
        completion: .file())
    var link: String?

    func validate() throws {
        for (name, isGiven) in [
            ("--eol", eol != .lf), ("--view", view != .raw), ("--log", log != nil),
            ("--send", !send.isEmpty), ("--until", until != nil), ("--timeout", timeout != nil),
        ] where isGiven && isTerminalOffered {
            throw ValidationError("\(name) is an option of the terminal: it cannot be combined with --pty.")
        }
        for (name, path) in [("--log", log), ("--pty-link", link)] where path == "" {
            throw ValidationError("\(name) expects the path of a file, got an empty text.")
        }
    }

    private var isTerminalOffered: Bool { pty || link != nil }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        let isTyped = RawTerminal.isInForeground
        // With a program's input, the end of the input ends the command normally; an earlier Ctrl-C is an interruption.
        let takesKeys = isTyped || isTerminalOffered
        try ClientSession.run(line.central, takesFlowControl: true, takesKeys: takesKeys, environment, output) {
            central in
            let serial = try command.line.serial(central, isLasting: command.isTerminalOffered || isTyped)
            do {
                let start = central.executor.now
                let name = try await BLESerialNotes.connect(
                    serial, command.line.noun, within: command.timeout, on: central.executor, output)
                let left = command.timeout.map { $0 - start.duration(to: central.executor.now) }
                let port = BLESerialPort(serial, name: name)
                if command.isTerminalOffered {
                    try await command.offer(port, serial, output)
                } else {
                    try await command.talk(
                        port, central.executor, environment, output, isTyped: isTyped, within: left)
                }
            } catch {
                await serial.disconnect()
                throw error
            }
            await serial.disconnect()
        }
    }

    /// Runs a terminal, or sends the input of a program.
    private func talk(
        _ port: BLESerialPort, _ executor: BenchExecutor, _ environment: Environment, _ output: Output, isTyped: Bool,
        within time: Duration?
    ) async throws {
        var settings = MonitorSettings(environment)
        (settings.view, settings.lineEnding, settings.log, settings.logsOutput) = (view, eol, log, true)
        (settings.sends, settings.until, settings.timeout) = (send, until, time)
        settings.isTransparent = !isTyped
        let session = MonitorSession(
            port: port, output: output, executor: executor, settings: settings, wallTime: environment.wallTime())
        do {
            try await session.run(keys: KeyboardInput.bytes(until: nil), areTyped: isTyped, isThreaded: true)
        } catch let error as SerialPortError {
            throw CommandFailure(.linkFailed, error.detail, code: "central.disconnected")
        }
    }

    /// Offers a pseudo-terminal to other programs, until the command ends or the connection is lost for good.
    private func offer(_ port: BLESerialPort, _ serial: BLESerial, _ output: Output) async throws {
        let offer: SerialOffer
        do {
            let server = try PTYServer { output.note($0) }
            let path = link.map { URL(filePath: $0).standardizedFileURL.path }
            offer = .terminal(server, link: try path.map { try PortLink($0, to: server.path) })
        } catch {
            throw CommandFailure(error, .portFailed)
        }
        output.data(offer.address + "\n")
        let events = await serial.events()
        let serving = Task { await offer.run { BLESerialPort(serial, name: port.name) } }
        await withTaskCancellationHandler {
            for await event in events where event == .over { break }
        } onCancel: {
            offer.stop()
        }
        offer.stop()
        await serving.value
        guard !Task.isCancelled else { return }
        throw CommandFailure(.linkFailed, await serial.link.text("board"), code: "central.disconnected")
    }
}
