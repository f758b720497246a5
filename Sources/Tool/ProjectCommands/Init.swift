import ArgumentParser
import CommandSupport
import FirmwareBuild

/// `espbench init`.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a project: write espbench.yaml, and a first suite for each sketch.",
        discussion: """
            Looks for sketches in the folder and below it. Builds each one without suites, runs it on the virtual \
            bench, and writes a suite from its advertisement and its services. Files that exist are left alone.
            """)

    @Flag(help: "Print a line with a JSON object for each file.")
    var json = false

    @Argument(
        help: ArgumentHelp("The project's folder; by default the working folder.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        try CommandRunner.finish(output) {
            try ProjectSetup(folder: folder, isJSON: json, output: output, environment: environment).run()
        }
    }
}
