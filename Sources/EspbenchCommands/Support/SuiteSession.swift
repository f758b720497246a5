import Bench
import BenchModel
import BenchReports
import MonotonicTime

/// Runs suites one after another, reports, and says how the program ends.
package struct SuiteSession {
    /// Runs one suite on a bench of its own.
    package typealias SuiteRun = (Suite, TimelineRecorder, RunOptions) throws -> SuiteResult

    private let output: Output
    private let seed: UInt64
    private let caseName: String?
    private let isJSON: Bool
    private let wallTime: () -> Duration

    /// A session that reports to `output`; `wallTime` is the time on the wall's clock since some moment.
    package init(output: Output, seed: UInt64, caseName: String?, isJSON: Bool, wallTime: @escaping () -> Duration) {
        self.output = output
        self.seed = seed
        self.caseName = caseName
        self.isJSON = isJSON
        self.wallTime = wallTime
    }

    /// Reads the suites in `files`; all of them before any is used.
    ///
    /// - Throws: a ``CommandFailure`` with every fault of every file.
    package static func read(_ files: [String], _ contents: (String) -> String?) throws(CommandFailure) -> [Suite] {
        var suites: [Suite] = []
        var faults: [String] = []
        for file in files {
            guard let yaml = contents(file) else {
                faults.append("\(file): the suite could not be read: expected a text file that you may read")
                continue
            }
            do throws(SuiteError) {
                suites.append(try Suite(yaml: yaml, file: file))
            } catch {
                faults.append(error.description)
            }
        }
        guard faults.isEmpty else {
            throw CommandFailure(.nothingRan, faults.joined(separator: "\n"), code: "suite.invalid")
        }
        guard !suites.isEmpty else {
            throw CommandFailure(.nothingRan, "no suite was found", code: "suite.none")
        }
        return suites
    }

    /// Runs `suites` with `run`.
    package func run(_ suites: [Suite], _ recorder: TimelineRecorder, _ run: SuiteRun) throws -> ExitReason {
        let report = ConsoleReport(style: TerminalStyle(isColoured: output.dataIsColoured && !isJSON), seed: seed)
        let started = wallTime()
        var results: [SuiteResult] = []
        for suite in suites {
            let options = RunOptions(
                seed: seed, caseName: caseName, onProgress: progress(of: suite, report))
            results.append(try run(suite, recorder, options))
        }
        try finish(recorder)
        let elapsed = wallTime() - started
        if isJSON {
            output.data(JSONReport(seed: seed).bytes(results, wallTime: elapsed))
        } else {
            output.data(report.summary(results, wallTime: elapsed))
        }
        return try status(results)
    }

    private func finish(_ recorder: TimelineRecorder) throws {
        do {
            try recorder.finish()
        } catch {
            throw CommandFailure(.benchFault, "the timeline could not be written: \(error)")
        }
    }

    /// Shows each suite's cases as they come out: as data, or as notes beside JSON.
    private func progress(of suite: Suite, _ report: ConsoleReport) -> @Sendable (RunProgress) -> Void {
        let output = output
        let isJSON = isJSON
        let file = suite.file
        let show: @Sendable (String) -> Void = { text in
            if isJSON { output.note(String(text.dropLast())) } else { output.data(text) }
        }
        return { progress in
            switch progress {
            case .suiteStarted(let suite): show(report.heading(suite))
            case .advanced(let completed, let total): output.progress(suite.name, completed: completed, of: total)
            case .caseEnded(let result): show(report.text(result, file: file))
            case .suiteEnded: break
            }
        }
    }

    private func status(_ results: [SuiteResult]) throws -> ExitReason {
        let causes = Set(results.flatMap(\.failures).map(\.failure.cause))
        if causes.contains(.benchFault) { return .benchFault }
        if !causes.isDisjoint(with: [.panic, .watchdog]) { return .panic }
        if !causes.isEmpty { return .testsFailed }
        guard results.contains(where: { $0.counts.total > 0 }) else {
            let name = caseName.map { " named '\($0)'" } ?? ""
            throw CommandFailure(.nothingRan, "no case\(name) was run", code: "suite.noCase")
        }
        return .passed
    }
}
