import Bench
internal import BenchExecutor
import BenchModel
import BenchSuites
import ESPFlasher
import ESPImage

/// The run of one suite on a new bench.
struct BenchRun: Sendable {
    /// The kind of bench.
    let kind: BenchKind
    /// The image to flash; `nil`: the board is not flashed.
    let layout: FlashLayout?
    let output: Output
    /// Ends the run early.
    let interruption: Interruption

    /// Flashes the board and runs `suite`.
    func run(_ suite: Suite, _ recorder: EventRecorder, _ options: RunOptions) throws -> SuiteResult {
        let executor = BenchExecutor(pace: kind.pace)
        return try executor.run {
            let session = BenchSession(on: try await kind.make(options.run.seed, executor), recorder: recorder)
            await session.start()
            do {
                if let layout {
                    try await session.flash(layout) { progress in
                        output.progress(
                            "flashing \(progress.region)", completed: progress.overallWritten,
                            of: progress.overallTotal)
                    }
                }
            } catch {
                throw CommandFailure(error, .flashFailed)
            }
            let runner = SuiteRunner(suite, in: session, options: options)
            interruption.whenRequested {
                executor.post { runner.assumeIsolated { $0.interrupt() } }
            }
            return await runner.run()
        }
    }
}
