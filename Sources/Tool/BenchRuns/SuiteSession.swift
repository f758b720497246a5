import Bench
import BenchModel
package import BenchReports
import BenchSuites
import CommandSupport
import MonotonicTime
import YAMLReading

/// Runs suites one after another and reports their results, even if the run ends early.
package struct SuiteSession: Sendable {
    /// Runs one suite on a new bench.
    package typealias SuiteRun = (Suite, EventRecorder, RunOptions) throws -> SuiteResult

    private let output: Output
    private let options: RunOptions
    private let isJSON: Bool
    private let verbosity: Verbosity
    private let interruption: Interruption
    private let wallTime: @Sendable () -> Duration
    private let known: KnownResults
    private let rerun: RerunCommand
    private let descriptions: SuiteDescriptions

    /// A session that reports to `output` and ends when `interruption` is requested; `wallTime` returns the wall
    /// clock's time since any fixed instant, `rerun` gives the commands that run cases again, and `descriptions` are
    /// those of the suites.
    package init(
        output: Output, _ options: RunOptions, isJSON: Bool, verbosity: Verbosity = .normal,
        interruption: Interruption = Interruption(), rerun: RerunCommand? = nil,
        descriptions: SuiteDescriptions = SuiteDescriptions(), wallTime: @escaping @Sendable () -> Duration
    ) {
        known = KnownResults(options.run)
        self.output = output
        self.options = options
        self.rerun = rerun ?? RerunCommand(seed: options.run.seed)
        self.descriptions = descriptions
        self.isJSON = isJSON
        self.verbosity = verbosity
        self.interruption = interruption
        self.wallTime = wallTime
    }

    /// Runs `body`, which adds the results of suites as they complete, then prints the summary or the JSON object of
    /// these results. Before that, `finish` completes the run's files; its failure is a failure of the run. An aborted
    /// command does both with the results so far.
    ///
    /// - Returns: the exit code.
    /// - Throws: ``CommandFailure`` when `body` failed or was interrupted, or no case ran.
    package func report(
        _ body: (inout [SuiteResult]) throws -> Void,
        finish: @escaping @Sendable (RunOutcome) throws(CommandFailure) -> Void = { _ in }
    ) throws(CommandFailure) -> ExitReason {
        let started = wallTime()
        let (finishing, showing) = (OneTime(), OneTime())
        interruption.setLastWords([
            {
                guard finishing.begin() else { return }
                do throws(CommandFailure) {
                    try finish(outcome(interrupted))
                } catch {
                    output.note("error: \(error.message)")
                }
            },
            {
                guard showing.begin() else { return }
                show(known.results, wallTime() - started, outcome(interrupted))
            },
        ])
        var results: [SuiteResult] = []
        var failure: CommandFailure?
        var status = ExitReason.passed
        do {
            try body(&results)
            status = try self.status(results)
        } catch {
            // After an interruption, any other failure is a consequence of it.
            let found = interrupted ?? CommandFailure(error, .benchFault)
            failure = found
            status = found.status
        }
        let elapsed = wallTime() - started
        do throws(CommandFailure) {
            if finishing.begin() { try finish(outcome(failure, status)) }
        } catch {
            if failure == nil {
                failure = error
                status = error.status
            } else {
                output.note("error: \(error.message)")
            }
        }
        let final = outcome(failure, status)
        if showing.begin() { show(results, elapsed, final) }
        output.gitHub?.show(results, final, rerun, descriptions, output)
        if let failure { throw failure }
        return status
    }

    private func show(_ results: [SuiteResult], _ elapsed: Duration, _ outcome: RunOutcome) {
        if isJSON {
            output.data(JSONReport(options.run, rerun: rerun).bytes(results, wallTime: elapsed, outcome: outcome))
        } else if !results.isEmpty {
            let summary = report.summary(results, wallTime: elapsed, showsFailuresOnly: verbosity == .quiet)
            if !output.isDataLost {
                output.data(summary)
            } else if !output.isDataClosed {
                output.note(String(summary.dropLast()))
            }
        }
    }

    private func outcome(_ failure: CommandFailure?, _ status: ExitReason = .interrupted) -> RunOutcome {
        failure?.outcome ?? RunOutcome(name: "\(status)", exitCode: Int(status.rawValue), error: nil)
    }

    private var report: ConsoleReport {
        // With JSON on standard output, the report goes to standard error, whose terminal is not known.
        ConsoleReport(
            style: isJSON ? TerminalStyle(isColoured: false) : output.dataStyle, rerun: rerun,
            descriptions: descriptions)
    }

    /// The failure of an interrupted run.
    private var interrupted: CommandFailure? {
        guard let reason = interruption.reason, reason != RunProgress.dataLoss else { return nil }
        return CommandFailure(.interrupted, "interrupted by \(reason) before all cases had run")
    }

    /// Reads the suites in `files`.
    ///
    /// - Throws: a ``CommandFailure`` with every error in every file.
    package static func read(
        _ files: [String], _ contents: (String) throws(CommandFailure) -> String
    ) throws(CommandFailure) -> [Suite] {
        var suites: [Suite] = []
        var faults: [String] = []
        var diagnostics: [RunOutcome.Diagnostic] = []
        var hasBeenRead = false
        for file in files {
            do {
                suites.append(
                    try Suite(
                        yaml: try contents(file), file: file, descriptions: DescriptionFile.source(beside: file)))
            } catch let error as SuiteError {
                hasBeenRead = true
                faults.append("\(error)")
                diagnostics += error.diagnostics.map {
                    RunOutcome.Diagnostic(file: $0.file, position: $0.position, message: $0.message)
                }
            } catch {
                let failure = CommandFailure(error, .nothingRan)
                faults.append(failure.message)
                diagnostics.append(RunOutcome.Diagnostic(file: file, position: nil, message: failure.message))
            }
        }
        guard faults.isEmpty else {
            throw CommandFailure(
                .nothingRan, faults.joined(separator: "\n"), code: hasBeenRead ? "suite.invalid" : "suite.unreadable",
                diagnostics: diagnostics)
        }
        return suites
    }

    /// Runs each of `suites` with `run`, and adds their results as they complete. `observers` receive the run in addition to
    /// the progress display.
    package func runEach(
        _ suites: [Suite], observers: [any RunObserver] = [], into results: inout [SuiteResult], _ run: SuiteRun
    ) throws {
        let progress = RunProgress(report, output, isJSON: isJSON, verbosity, interruption)
        let recorder = EventRecorder(observers: observers + [known, progress])
        if let hardware = options.run.hardware, !isJSON, verbosity != .quiet {
            output.data(report.text(hardware, name: options.run.bench))
        }
        for note in Set(suites.flatMap(\.notes)).sorted(by: { "\($0)" < "\($1)" }) { output.note("note: \(note)") }
        for (index, suite) in suites.enumerated() {
            results.append(try run(suite, recorder, options))
            try output.checkData()
            if let interrupted { throw interrupted }
            guard let limit = options.maximumFailures else { continue }
            guard results.reduce(0, { $0 + $1.counts.failed }) < limit else {
                noteEnd(suites, ran: results, suites.count - index - 1)
                break
            }
        }
    }

    /// Prints a note on the suites that `--fail-fast` kept from running.
    private func noteEnd(_ suites: [Suite], ran results: [SuiteResult], _ suitesLeft: Int) {
        let planned = suites.reduce(0) { $0 + options.selection.plan($1, seed: options.run.seed).cases.count }
        let casesLeft = planned - results.reduce(0) { $0 + $1.cases.count }
        guard casesLeft > 0 else { return }
        let place = suitesLeft > 0 ? ", \(suitesLeft) suite\(suitesLeft == 1 ? "" : "s") among them whole" : ""
        output.note("ended after the first failure: \(casesLeft) case\(casesLeft == 1 ? "" : "s") not run\(place)")
    }

    private func status(_ results: [SuiteResult]) throws -> ExitReason {
        let causes = Set(results.flatMap(\.failures).map(\.failure.cause))
        if causes.contains(.benchFault) { return .benchFault }
        if causes.contains(.suite) { return .nothingRan }
        if causes.contains(where: \.isCrash) { return .panic }
        if !causes.isEmpty { return .testsFailed }
        guard results.contains(where: { $0.counts.total > 0 }) else {
            throw CommandFailure(.nothingRan, "no case was run", code: "suite.noCase")
        }
        return .passed
    }
}
