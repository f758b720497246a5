public import ArgumentParser
import BenchModel
internal import BenchReports
import BluetoothCommands
import BoardCommands
import CommandSupport
import ProjectCommands
import ServeCommands

/// The command line tool.
public struct Espbench: ParsableCommand {
    /// The tool's name, purpose and verbs.
    public static let configuration = CommandConfiguration(
        commandName: "espbench",
        abstract: "Builds ESP32 BLE sketches, flashes them, shows their console and proves what they do.",
        discussion: HelpTopic.list, version: Environment.version,
        groupedSubcommands: [
            CommandGroup(name: "Start", subcommands: ProjectVerbs.all),
            CommandGroup(name: "Board", subcommands: BoardVerbs.all),
            CommandGroup(name: "Bluetooth", subcommands: BluetoothVerbs.all),
            CommandGroup(name: "Share", subcommands: ServeVerbs.all),
        ])

    /// Without a verb: prints the help.
    public init() {}

    /// Runs the command of this process's command line, then exits.
    public static func start() -> Never {
        StandardStreams.fillClosed()
        StandardStreams.ignoreFileSizeSignal()
        let isTest = CommandLine.arguments.dropFirst().first == "test"
        EndingSignals.unblock(holdsEnd: isTest)
        let output = Output(Environment.process)
        if !isTest { EndingSignals.endByDefault(output) }
        do {
            var arguments: [String] = []
            try CommandRunner.finish(output) {
                // The name of the program is missing, too: Swift reads the command line from /proc/self/cmdline.
                guard !CommandLine.arguments.isEmpty else {
                    throw CommandFailure(
                        .benchFault, "the command line could not be read: /proc is not mounted", code: "process.noProc")
                }
                arguments = Array(CommandLine.arguments.dropFirst())
                // A shell requests completions while the user types a command.
                if arguments.first == "---completion" { return .passed }
                let given = BluetoothSpelling.translated(arguments)
                let spelling = try EsptoolSpelling(given) { path in
                    String(decoding: try InputFile.read(path), as: UTF8.self)
                }
                for note in spelling.notes { output.note(note) }
                arguments = OptionalValues.completed(spelling.arguments)
                return .passed
            }
            if try showsTopic(arguments, output) { exit() }
            var command = try Self.command(arguments)
            try command.run()
            exit()
        } catch {
            exit(withCode: report(error, output))
        }
    }

    /// The command of the command line `arguments`, which are without the program.
    ///
    /// - Throws: an error for ``report(_:_:)``, also for an option that the command would ignore.
    package static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let command = try parseAsRoot(arguments)
        try UnusedOptions.check(command, given: arguments)
        return command
    }

    /// Prints the help topic that the command line requests.
    ///
    /// - Returns: whether a topic was requested.
    private static func showsTopic(_ arguments: [String], _ output: Output) throws -> Bool {
        var isTopic = false
        try CommandRunner.finish(output) {
            guard let topic = try HelpTopic.requested(arguments, commands: CommandNames(Self.self).subcommands) else {
                return ExitReason.passed
            }
            isTopic = true
            output.data(try topic.text(Environment.process))
            return ExitReason.passed
        }
        return isTopic
    }

    /// Prints the message of `error`: help and version as data, command line errors as notes. Returns the exit code.
    private static func report(_ error: any Error, _ output: Output) -> ExitCode {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        guard !message.isEmpty else { return code }
        guard code.isSuccess else {
            output.note(message.hasPrefix("Error: ") ? "error: \(message.dropFirst(7))" : message)
            if CommandLine.arguments.contains("test"), CommandLine.arguments.contains("--json") {
                let failure = CommandFailure(.usage, self.message(for: error))
                let report = JSONReport(RunInformation(seed: 0, bench: "virtual"))
                output.data(report.bytes([], wallTime: .zero, outcome: failure.outcome))
            }
            return code
        }
        do {
            try CommandRunner.finish(output) {
                output.data(message + "\n")
                return .passed
            }
            return code
        } catch {
            return exitCode(for: error)
        }
    }

    private static func exit(withCode code: ExitCode) -> Never {
        // An exit code prints nothing.
        exit(withError: code)
    }
}
