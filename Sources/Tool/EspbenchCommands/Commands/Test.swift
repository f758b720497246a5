import ArgumentParser
import Bench
internal import BenchExecutor
import BenchModel
import BenchSuites
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime

/// `espbench test`.
struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run suites on a bench.",
        discussion: """
            Without arguments, every suite under Firmware/. On the virtual bench time is virtual: the same suite and \
            seed give the same timeline, byte for byte. A case with a step that the bench does not support is \
            skipped. Ctrl-C ends the run with a summary of the results so far.
            """)

    @OptionGroup var project: ProjectOptions

    @Option(help: ArgumentHelp("The seed of all random numbers of the bench.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Run only the case with this name, as printed in the report.", valueName: "name"))
    var caseName: String?

    @Option(help: ArgumentHelp("Write all events to this file, as JSON Lines.", valueName: "file"))
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"))
    var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, even if there are none.")
    var json = false

    @Flag(help: "With --json: list every instance of every case, not only their number.")
    var instances = false

    @Option(help: ArgumentHelp("The bench to run on.", valueName: "name"))
    var bench = "virtual"

    @Flag(help: "Fail cases that need an ability the bench lacks, instead of skipping them.")
    var requireAll = false

    @Flag(help: "Print the reference of the steps of suites, and run nothing.")
    var steps = false

    @Argument(help: ArgumentHelp("Suites to run.", valueName: "suite.yaml"))
    var suites: [String] = []

    func validate() throws {
        if instances, !json { throw ValidationError("--instances needs --json.") }
        for (option, file) in [("--timeline", timeline), ("--btsnoop", btsnoop)] {
            guard let file, [".yaml", ".yml"].contains(where: file.hasSuffix) else { continue }
            throw ValidationError("\(option) takes the file to write, got the suite '\(file)'.")
        }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        if steps { return output.data(SuiteReference.steps) }
        let interruption = Interruption()
        EndingSignals.watch(interruption.request)
        defer { EndingSignals.end() }
        let clock = ContinuousClock()
        let origin = clock.now
        let options = RunOptions(
            run: RunInformation(
                id: UUID().uuidString.lowercased(), wallTime: Int64(Date().timeIntervalSince1970),
                versions: [RunInformation.Version(name: "espbench", version: Espbench.version)],
                seed: seed, bench: bench),
            caseName: caseName, requiresAll: requireAll, keepsInstances: json && instances)
        let session = SuiteSession(
            output: output, options, isJSON: json, interruption: interruption, wallTime: { clock.now - origin })
        try CommandRunner.finish(output) {
            try session.report { results in
                try run(session, interruption, into: &results, output, environment)
            }
        }
    }

    private func run(
        _ session: SuiteSession, _ interruption: Interruption, into results: inout [SuiteResult], _ output: Output,
        _ environment: Environment
    ) throws {
        let project = try Project(firmware: project.firmware, environment)
        let suites = try SuiteSession.read(suites.isEmpty ? project.suiteFiles() : suites, Project.suiteText)
        let kind = try Benches.kind(bench, environment)
        let layouts = try Self.build(suites, project, interruption, output)
        let files = try RunFiles(timeline: timeline, btsnoop: btsnoop, seed: seed, output)
        let outcome = Result {
            try session.run(suites, observers: files.observers, into: &results) { suite, recorder, options in
                guard let layout = layouts[suite.sketch] else {
                    throw CommandFailure(.buildFailed, "the sketch \(suite.sketch) was not built")
                }
                return try BenchRun(kind: kind, layout: layout, output: output, interruption: interruption)
                    .run(suite, recorder, options)
            }
        }
        // However the run ended, complete the files.
        let writing = Result { try files.finish() }
        try outcome.get()
        try writing.get()
    }

    /// Builds the sketch of every suite, each once.
    private static func build(
        _ suites: [Suite], _ project: Project, _ interruption: Interruption, _ output: Output
    ) throws -> [String: FlashLayout] {
        let names = Set(suites.map(\.sketch)).sorted()
        return try BenchExecutor(pace: .real).run {
            try await interruption.cancelling {
                var layouts: [String: FlashLayout] = [:]
                for name in names {
                    layouts[name] = try await project.build(try project.sketch(name), output).layout
                }
                return layouts
            }
        }
    }
}
