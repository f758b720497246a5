public import ArgumentParser

/// The command line tool.
public struct Espbench: ParsableCommand {
    static let version = "0.1.0"

    /// The tool's name, purpose and verbs.
    public static let configuration = CommandConfiguration(
        commandName: "espbench",
        abstract: "Builds ESP32 BLE sketches, flashes them, shows their console and proves what they do.",
        discussion: ExitReason.help, version: version,
        subcommands: [Build.self, Flash.self, Monitor.self, Run.self, Serve.self, Test.self])

    /// Without a verb: prints the help.
    public init() {}

    /// Carries out this process's command line, and ends the process.
    public static func start() {
        EndingSignals.unblock()
        main()
    }
}
