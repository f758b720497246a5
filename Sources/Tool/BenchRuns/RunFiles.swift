import BenchModel
import BenchProject
internal import BenchReports
import CommandSupport
import Foundation
internal import LogFiles
internal import PrivateFile

extension ResultFileOptions {
    /// The place of pictures of failures: beside another file of the run, else a folder for temporary files.
    var failurePlace: PictureFolder.Place {
        let file = [timeline, junit].compactMap(\.self).first { !$0.hasPrefix("/dev/") }
        if let file { return .folder(PictureFolder.folder(of: file)) }
        let folder = FileManager.default.temporaryDirectory.path
        return .newFolder(below: folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
    }
}

/// The files that a run writes on request: its timeline, its HCI packets and its JUnit report.
struct RunFiles: Sendable {
    private let timelineFile: OutputFile?
    private let timeline: TimelineWriter?
    private let capture: CaptureFile?
    private let reportFile: ReportFile?
    private let report: JUnitReport?
    private let refused: CommandFailure?
    /// Explains an empty capture to the user; set on benches whose Bluetooth stack may hide its packets.
    private let noteEmptyCapture: (@Sendable () -> Void)?

    /// Creates the files that `options` name; `rerun` gives the commands that run cases again; write errors are
    /// reported to `output`. The report is created even if another file cannot be created; ``check()`` throws then.
    ///
    /// - Throws: ``CommandFailure`` when the report cannot be created.
    init(
        _ options: ResultFileOptions, _ run: RunInformation, rerun: RerunCommand, _ descriptions: SuiteDescriptions,
        _ environment: Environment, _ output: Output
    ) throws(CommandFailure) {
        let file = try options.junit.map { path throws(CommandFailure) in
            try ReportFile(path, option: "--junit", output)
        }
        reportFile = file
        let sources = SourcePaths(environment)
        let junit = JUnitOptions(
            listsInstances: options.instances, hostName: environment.hostName,
            attachment: options.timeline.map(sources.relative), sourcePath: sources.relative)
        report = file.map { JUnitReport(run, junit, rerun: rerun, descriptions: descriptions, to: $0) }
        var timelineFile: OutputFile?
        var capture: CaptureFile?
        var refused: CommandFailure?
        do throws(CommandFailure) {
            timelineFile = try options.timeline.map { path throws(CommandFailure) in
                try OutputFile(path, option: "--timeline", output)
            }
            capture = try options.btsnoop.map { path throws(CommandFailure) in
                try CaptureFile(path, startingAt: 0, isBuffered: true, output)
            }
        } catch {
            refused = error
        }
        self.timelineFile = timelineFile
        timeline = timelineFile.map { file in TimelineWriter(seed: run.seed) { file.write($0) } }
        self.capture = capture
        self.refused = refused
        noteEmptyCapture = run.hardware.map { hardware -> @Sendable () -> Void in
            {
                output.note(
                    "the capture has no HCI packets: \(hardware.central) showed none (Linux shows those of BlueZ only to "
                        + "root and to programs with CAP_NET_RAW)")
            }
        }
    }

    /// - Throws: ``CommandFailure`` when a file could not be created.
    func check() throws(CommandFailure) {
        if let refused { throw refused }
    }

    /// The observers that write the files.
    var observers: [any RunObserver] {
        let all: [(any RunObserver)?] = [timeline, capture, report]
        return all.compactMap { $0 }
    }

    /// Completes the files of a run that ended with `outcome`, each of them even if others fail.
    ///
    /// - Throws: ``CommandFailure`` when files could not be written completely; names all of these files.
    func finish(_ outcome: RunOutcome) throws(CommandFailure) {
        report?.finish(outcome)
        if capture?.lacksPackets == true { noteEmptyCapture?() }
        // The report comes first because it is needed most, and another file may be a pipe that nobody reads.
        let steps: [() throws -> Void] = [
            { try reportFile?.finish() }, { try timeline?.finish() }, { try timelineFile?.finish() },
            { try capture?.finish() },
        ]
        let failures = steps.compactMap { step -> CommandFailure? in
            do {
                try step()
                return nil
            } catch {
                return CommandFailure(error, .benchFault)
            }
        }
        guard var failure = failures.first else { return }
        failure.message = failures.map(\.message).joined(separator: "\n")
        throw failure
    }
}
