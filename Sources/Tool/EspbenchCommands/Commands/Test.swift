import ArgumentParser
import Bench
import BenchModel
import ESPImage
import FirmwareBuild
import MonotonicTime
import BenchExecutor

/// `espbench test`.
struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run suites on the virtual bench.",
        discussion: """
            Without arguments, every suite under Firmware/. Time is virtual: the same suite and seed give the same \
            timeline, byte for byte. Ctrl-C ends the run with a summary of what has come out.
            """)

    @OptionGroup var project: ProjectOptions

    @Option(help: ArgumentHelp("Seeds everything random on the bench.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Run only the case of this name, as the report prints it.", valueName: "name"))
    var caseName: String?

    @Option(help: ArgumentHelp("Write everything that happens to this file, as JSON Lines.", valueName: "file"))
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"))
    var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, also when there are none.")
    var json = false

    @Argument(help: ArgumentHelp("Suites to run.", valueName: "suite.yaml"))
    var suites: [String] = []

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let interruption = Interruption()
        EndingSignals.watch(interruption.request)
        defer { EndingSignals.end() }
        let clock = ContinuousClock()
        let origin = clock.now
        let session = SuiteSession(
            output: output, seed: seed, caseName: caseName, isJSON: json, interruption: interruption,
            wallTime: { clock.now - origin })
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
        let layouts = try Self.build(suites, project, interruption, output)
        let key = try Project.sealingKey(environment)
        let timeline = try timeline.map { path throws(CommandFailure) in try OutputFile(path, "timeline", output) }
        let recorder = TimelineRecorder(sink: timeline.map { file in { @Sendable bytes in file.write(bytes) } })
        let header = BenchEvent.Payload.timeline(version: BenchEvent.formatVersion, seed: seed)
        recorder.record(BenchEvent(time: .zero, source: "suite", payload: header))
        let capture = try btsnoop.map { path throws(CommandFailure) in
            try CaptureFile(path, startingAt: 0, isBuffered: true, output)
        }
        let outcome = Result {
            try session.run(suites, recorder, into: &results) { suite, recorder, options in
                guard let layout = layouts[suite.sketch] else {
                    throw CommandFailure(.buildFailed, "the sketch \(suite.sketch) was not built")
                }
                return try VirtualBenchRun(
                    layout: layout, key: key, output: output, capture: capture, interruption: interruption
                ).run(suite, recorder, options)
            }
        }
        // Whatever ended the run, the files hold what happened until then.
        try recorder.finish()
        let writing = Result {
            try timeline?.finish()
            try capture?.finish()
        }
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
