import ArgumentParser
import Bench
import BenchModel
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime
import Simulation

/// `espbench test`.
struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run suites on the virtual bench.",
        discussion: """
            Without arguments, every suite under Firmware/. Time is virtual: the same suite and seed give the same \
            timeline, byte for byte.
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

    @Flag(help: "Print the results as one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Suites to run.", valueName: "suite.yaml"))
    var suites: [String] = []

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        try CommandRunner.finish(output) {
            let project = try Project(firmware: project.firmware, environment)
            let suites = try SuiteSession.read(self.suites.isEmpty ? project.suiteFiles() : self.suites) { path in
                FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
            }
            let layouts = try Self.build(suites, project, output)
            let key = try Project.sealingKey(environment)
            let recorder = TimelineRecorder(sink: try timeline.map(TimelineFile.sink))
            let header = BenchEvent.Payload.timeline(version: BenchEvent.formatVersion, seed: seed)
            recorder.record(BenchEvent(time: .zero, source: "suite", payload: header))
            let clock = ContinuousClock()
            let origin = clock.now
            let session = SuiteSession(
                output: output, seed: seed, caseName: caseName, isJSON: json, wallTime: { clock.now - origin })
            let capture = try btsnoop.map { try CaptureFile($0, startingAt: 0, isBuffered: true) }
            let status = try session.run(suites, recorder) { suite, recorder, options in
                guard let layout = layouts[suite.sketch] else {
                    throw CommandFailure(.buildFailed, "the sketch \(suite.sketch) was not built")
                }
                return try VirtualBenchRun(layout: layout, key: key, output: output, capture: capture)
                    .run(suite, recorder, options)
            }
            try capture?.finish()
            return status
        }
    }

    /// Builds the sketch of every suite, each once.
    private static func build(_ suites: [Suite], _ project: Project, _ output: Output) throws -> [String: FlashLayout] {
        let names = Set(suites.map(\.sketch)).sorted()
        return try Simulation(pace: .real).run {
            var layouts: [String: FlashLayout] = [:]
            for name in names {
                layouts[name] = try await project.build(try project.sketch(name), output).layout
            }
            return layouts
        }
    }
}
