import Bench
internal import BenchExecutor
import BenchModel
import BenchSuites
import CommandSupport
import ESPFlasher
import ESPImage

/// The benches of one kind on which suites run.
package final class SuiteBenches {
    private let kind: BenchKind
    private let jobs: Int
    private let output: Output
    private let interruption: Interruption
    /// Converts the error of a bench's role to a failure.
    private let explain: (@Sendable (any Error) -> CommandFailure)?
    /// Makers of benches whose boards have been flashed, by the boards.
    private var makers: [[Place]: BenchKind.Maker] = [:]

    /// A board, by its name and its sketch's folder.
    private struct Place: Hashable {
        let name: String
        let folder: String
    }

    /// A runner on at most `jobs` benches of `kind` at a time; `interruption` ends the run.
    ///
    /// - Throws: ``CommandFailure`` when this kind does not allow so many benches.
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

    /// Runs `suite` with boards flashed with `images`, which were built from the sketches in `folders`. Without images
    /// the bench has too few boards, and all cases are skipped.
    package func runSuite(
        _ suite: Suite, _ images: [BoardImage], of folders: [String], _ recorder: EventRecorder, _ options: RunOptions
    ) throws -> SuiteResult {
        guard kind.limit == nil, !images.isEmpty, let make = try maker(folders, images) else {
            return try runCases(of: suite, flashing: images.first?.layout, recorder, options)
        }
        let run = SuiteJobs(suite, options: options, recorder: recorder, jobs: jobs, pace: kind.pace, make: make)
        interruption.whenRequested { run.interrupt() }
        return try BenchExecutor(pace: .real).run { try await run.run() }
    }

    private func maker(_ folders: [String], _ images: [BoardImage]) throws -> BenchKind.Maker? {
        let places = zip(images, folders).map { Place(name: $0.name, folder: $1) }
        if let maker = makers[places] { return maker }
        let kind = kind
        do {
            let maker = try BenchExecutor(pace: .real).run { try await kind.maker(flashedWith: images) }
            makers[places] = maker
            return maker
        } catch {
            throw CommandFailure(error, .flashFailed)
        }
    }

    /// Flashes the only board, if an image is given, and runs the cases on it one after the other.
    private func runCases(
        of suite: Suite, flashing layout: FlashLayout?, _ recorder: EventRecorder, _ options: RunOptions
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
                    guard let layout else { return }
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
