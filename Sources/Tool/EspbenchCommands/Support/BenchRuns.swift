import Bench
internal import BenchExecutor
import BenchModel
import BenchSuites
import ESPFlasher
import ESPImage

/// The runs of suites on benches of one kind.
package final class BenchRuns {
    private let kind: BenchKind
    private let jobs: Int
    private let output: Output
    private let interruption: Interruption
    /// What it means that a part of a bench has failed.
    private let explain: (@Sendable (any Error) -> CommandFailure)?
    /// What makes benches whose boards have been flashed, by the sketch's folder.
    private var makers: [String: BenchKind.Maker] = [:]

    /// Runs on benches of `kind`, as many as `jobs` at a time, that `interruption` ends.
    ///
    /// - Throws: ``CommandFailure`` when there cannot be so many.
    package init(
        _ kind: BenchKind, jobs: Int, _ output: Output, _ interruption: Interruption,
        explain: (@Sendable (any Error) -> CommandFailure)? = nil
    ) throws(CommandFailure) {
        let most = kind.limit ?? (kind.flashed == nil ? 1 : Int.max)
        guard jobs <= most else {
            throw CommandFailure(
                .usage, "--jobs \(jobs): the bench '\(kind.name)' runs \(most) at a time", code: "bench.jobs")
        }
        self.kind = kind
        self.jobs = jobs
        self.output = output
        self.interruption = interruption
        self.explain = explain
    }

    /// Runs `suite` with boards that hold `layout`, built of the sketch in `folder`.
    package func run(
        _ suite: Suite, _ layout: FlashLayout, of folder: String, _ recorder: EventRecorder, _ options: RunOptions
    ) throws -> SuiteResult {
        guard kind.limit == nil, let make = try maker(folder, layout) else {
            return try runOnOneBench(suite, layout, recorder, options)
        }
        let run = SuiteJobs(suite, options: options, recorder: recorder, jobs: jobs, pace: kind.pace, make: make)
        interruption.whenRequested { run.interrupt() }
        return try BenchExecutor(pace: .real).run { try await run.run() }
    }

    private func maker(_ folder: String, _ layout: FlashLayout) throws -> BenchKind.Maker? {
        if let maker = makers[folder] { return maker }
        let kind = kind
        do {
            let maker = try BenchExecutor(pace: .real).run { try await kind.maker(flashedWith: layout) }
            makers[folder] = maker
            return maker
        } catch {
            throw CommandFailure(error, .flashFailed)
        }
    }

    /// Flashes the only board there is, and runs case after case on it.
    private func runOnOneBench(
        _ suite: Suite, _ layout: FlashLayout, _ recorder: EventRecorder, _ options: RunOptions
    ) throws -> SuiteResult {
        let executor = BenchExecutor(pace: kind.pace)
        let (kind, output, interruption, explain) = (kind, output, interruption, explain)
        return try executor.run {
            let bench: Bench
            do { bench = try await kind.make(options.run.seed, executor) } catch { throw explain?(error) ?? error }
            let session = BenchSession(on: bench, recorder: recorder)
            await session.start()
            do {
                try await interruption.cancelling {
                    try await session.flash(layout) { progress in
                        output.progress(
                            "flashing \(progress.region)", completed: progress.overallWritten,
                            of: progress.overallTotal)
                    }
                }
            } catch {
                await session.end()
                throw explain?(error) ?? CommandFailure(error, .flashFailed)
            }
            let runner = SuiteRunner(suite, in: session, options: options)
            interruption.whenRequested {
                executor.post { runner.assumeIsolated { $0.interrupt() } }
            }
            let result = await runner.run()
            await session.end()
            return result
        }
    }
}
