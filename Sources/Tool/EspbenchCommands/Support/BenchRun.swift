import Bench
internal import BenchExecutor
import BenchModel
import BenchSuites
import ESPFlasher
import ESPImage

/// One suite on a bench of its own.
struct BenchRun: Sendable {
    /// The kind of bench.
    let kind: BenchKind
    /// What the board is flashed with; `nil`: it stays as it is.
    let layout: FlashLayout?
    let output: Output
    /// What ends the run early.
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
