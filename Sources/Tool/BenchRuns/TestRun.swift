import Bench
internal import BenchExecutor
import BenchModel
import BenchProject
internal import BenchReports
import BenchSuites
internal import BLECentral
import CommandSupport
import FirmwareBuild
import Foundation
import MonotonicTime
import Synchronization

/// One run of `espbench test`: reads the suites, builds their sketches, runs them, reports.
package struct TestRun {
    /// The suites as given on the command line; empty: the project's suites.
    var suites: [String]
    /// True if ``suites`` are only some of the suites from which the user selects.
    var isPart = false
    /// The root of the watched project: if it disappears, another project must not replace it.
    var watchedRoot: String?
    let project: ProjectOptions
    private(set) var bench: BenchOptions
    let sanitizing: SanitizeOption
    /// The project's file, as messages name it.
    private(set) var benchFile: String?
    let selection: SelectionOptions
    let control: RunControlOptions
    let files: ResultFileOptions
    let verbosity: Verbosity
    let output: Output
    /// Ends the run early.
    let interruption: Interruption
    let environment: Environment

    /// A run of `suites`, or of the project's suites if they are empty.
    package init(
        suites: [String], project: ProjectOptions, bench: BenchOptions, sanitizing: SanitizeOption,
        selection: SelectionOptions, control: RunControlOptions, files: ResultFileOptions, verbosity: Verbosity,
        output: Output, interruption: Interruption, environment: Environment
    ) {
        (self.suites, self.project, self.bench, self.sanitizing) = (suites, project, bench, sanitizing)
        (self.selection, self.control, self.files, self.verbosity) = (selection, control, files, verbosity)
        (self.output, self.interruption, self.environment) = (output, interruption, environment)
    }

    /// Runs the suites and prints their results.
    ///
    /// - Throws: the exit code, if it is not zero.
    package func chooseAndRun() throws {
        try runAndReport(Result { try choose() })
    }

    /// Runs the chosen cases and prints the results. A failed choice is reported as the outcome of the session.
    ///
    /// - Throws: the exit code, if it is not zero.
    package func runAndReport(_ choice: Result<SuiteChoice, any Error>) throws {
        let clock = ContinuousClock()
        let origin = clock.now
        let pictures = PictureFolder(isUpdating: control.update, failures: files.failurePlace)
        var options = options(try? choice.get())
        options.pictures = pictures
        let rerun = rerun(seed: options.run.seed)
        let suites = (try? choice.get())?.selected.suites ?? []
        let descriptions = SuiteDescriptions(
            Dictionary(suites.map { ($0.file, $0.descriptions) }) { first, _ in first })
        let session = SuiteSession(
            output: output, options, isJSON: files.json, verbosity: verbosity, interruption: interruption,
            rerun: rerun, descriptions: descriptions, wallTime: { clock.now - origin })
        let files = Mutex<RunFiles?>(nil)
        try CommandRunner.finish(output) {
            defer { for file in pictures.updated { output.note("wrote \(file)") } }
            return try session.report { results in
                // Created first, so that the files also report later errors.
                let created = try RunFiles(
                    self.files, options.run, rerun: rerun, descriptions, environment, output)
                files.withLock { $0 = created }
                try created.check()
                if control.update, environment.isContinuousIntegration {
                    throw CommandFailure(
                        .usage,
                        "--update writes what suites expect, which continuous integration must not do (CI, GITHUB_ACTIONS or JENKINS_URL is set)"
                    )
                }
                try runSuites(of: try choice.get(), session, created, into: &results)
            } finish: { (outcome) throws(CommandFailure) in
                try files.withLock { $0 }?.finish(outcome)
            }
        }
    }

    /// Reads the project's current benches. Errors in the project are reported by the run, also as JSON.
    package mutating func readBenches() {
        let file = try? openProject().finder.current().file
        bench.projectBenches = file?.benches ?? [:]
        benchFile = file?.file
    }

    /// The command that runs failed cases again, in the same folder.
    private func rerun(seed: UInt64) -> RerunCommand {
        RerunCommand(
            program: environment.program, options: project.repeated + bench.repeated + sanitizing.repeated, seed: seed,
            remembersFailures: true)
    }

    /// Prints the suites and cases that would run.
    ///
    /// - Throws: the exit code, if it is not zero.
    package func list() throws {
        let choice = Result { try choose() }
        let session = SuiteSession(
            output: output, options(try? choice.get()), isJSON: files.json, wallTime: { .zero })
        try CommandRunner.finish(output) {
            guard case .success(let choice) = choice else {
                return try session.report { _ in _ = try choice.get() }
            }
            for note in choice.selected.notes { output.note(note) }
            let list = SuiteList(choice.selected, seed: choice.seed)
            if files.json { output.data(list.json) } else { output.data(list.text) }
            return .passed
        }
    }

    private func options(_ choice: SuiteChoice?) -> RunOptions {
        var run = RunInformation(
            id: UUID().uuidString.lowercased(), wallTime: Int64(Date().timeIntervalSince1970),
            versions: [RunInformation.Version(name: "espbench", version: Environment.version)],
            seed: choice?.seed ?? bench.seed, bench: bench.name)
        run.hardware = bench.hardware.map {
            RunInformation.Hardware(
                board: $0.board.text, central: $0.centrals.map(\.description).joined(separator: ", "),
                timeFactor: $0.timeFactor, retries: $0.retries)
        }
        return RunOptions(
            run: run, selection: choice?.selection ?? .everything, maximumFailures: control.failFast ? 1 : nil,
            retries: bench.retries, requiresAll: bench.requireAll, keepsInstances: files.json && files.instances)
    }

    private func runSuites(
        of choice: SuiteChoice, _ session: SuiteSession, _ files: RunFiles, into results: inout [SuiteResult]
    ) throws {
        for note in choice.selected.notes { output.note(note) }
        let project = choice.project
        var suites = choice.selected.suites
        var sketches = try self.sketches(of: suites, project)
        for index in suites.indices { suites[index].nameSketches(sketches[suites[index].file]?.map(\.name) ?? []) }
        let hardware = try bench.hardware.map { entry in
            try HardwareBenches(
                entry, file: benchFile ?? "espbench.yaml", folder: choice.root, environment, output)
        }
        let kind =
            try hardware?.kind
            ?? Benches.kind(bench, of: benchFile, environment)
        let benches = try SuiteBenches(kind, jobs: bench.jobs, output, interruption, explain: hardware?.failure)
        // If the bench has too few boards, every case is skipped, and no sketch needs to be built.
        for suite in suites where !kind.canHave(boards: suite.boardCount) { sketches[suite.file] = [] }
        let (builds, failure) = try build(sketches, project, hardware)
        defer { saveFailures(results, choice) }
        for index in suites.indices { suites[index].setFirmware(builds[suites[index].file]?.map(\.firmware) ?? []) }
        let built = suites.filter { builds[$0.file] != nil }
        try session.runEach(built, observers: files.observers, into: &results) { suite, recorder, options in
            guard let built = builds[suite.file], let sketches = sketches[suite.file] else {
                throw CommandFailure(.buildFailed, "the sketch \(suite.sketch) was not built")
            }
            var options = options
            options.symbols[suite.file] = built.map(\.symbols)
            let images = zip(suite.boardNames, built).map { BoardImage(name: $0, layout: $1.layout) }
            return try benches.runSuite(suite, images, of: sketches.map(\.folder), recorder, options)
        }
        if let failure { throw failure }
    }

    /// The sketches of every suite's boards, by the suite's file.
    ///
    /// - Throws: a ``CommandFailure`` with every suite that has a sketch which is not found.
    private func sketches(of suites: [Suite], _ project: Project) throws(CommandFailure) -> [String: [ProjectSketch]] {
        var sketches: [String: [ProjectSketch]] = [:]
        var failures: [CommandFailure] = []
        for suite in suites {
            do throws(CommandFailure) {
                sketches[suite.file] = try project.sketches(of: suite)
            } catch {
                failures.append(error)
            }
        }
        if let failure = CommandFailure(all: failures) { throw failure }
        return sketches
    }

    /// Builds each sketch once; returns the builds by the suite's file. A sketch that does not build prevents other
    /// suites from running only with --fail-fast.
    private func build(
        _ sketches: [String: [ProjectSketch]], _ project: Project, _ hardware: HardwareBenches?
    ) throws -> (built: [String: [SketchProgram]], failure: CommandFailure?) {
        let (output, interruption, failFast) = (output, interruption, control.failFast)
        let sanitizes = sanitizing.sanitize
        return try BenchExecutor(pace: .real).run {
            try await interruption.cancelling {
                let builder = try await hardware?.builder(project, output) ?? .virtual(project)
                if case .silicon = builder, sanitizes {
                    throw CommandFailure(
                        .usage, "--sanitize: sketches for real chips have no sanitizers: run on the virtual bench")
                }
                var built: [String: SketchProgram] = [:]
                var failures: [CommandFailure] = []
                let folders = Dictionary(sketches.values.joined().map { ($0.folder, $0) }) { first, _ in first }
                for (folder, sketch) in folders.sorted(by: { $0.key < $1.key }) where failures.isEmpty || !failFast {
                    do throws(CommandFailure) {
                        built[folder] = try await builder.build(sketch, output)
                    } catch {
                        failures.append(error)
                    }
                }
                let programs = sketches.compactMapValues { sketches in
                    let programs = sketches.compactMap { built[$0.folder] }
                    return programs.count == sketches.count ? programs : nil
                }
                return (programs, CommandFailure(all: failures))
            }
        }
    }
}
