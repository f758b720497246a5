import Bench
import BenchModel
import ESPFlasher
import ESPImage
import BenchExecutor

/// One suite on a virtual bench of its own, in virtual time.
struct VirtualBenchRun: Sendable {
    /// What the board is flashed with.
    let layout: FlashLayout
    /// What images are sealed with.
    let key: HostProgramKey
    let output: Output
    /// Where all HCI packets go.
    let capture: CaptureFile?
    /// What ends the run early.
    let interruption: Interruption

    /// Flashes the board through its serial bootloader and runs `suite`.
    func run(_ suite: Suite, _ recorder: TimelineRecorder, _ options: RunOptions) throws -> SuiteResult {
        let executor = BenchExecutor()
        return try executor.run {
            let bench = try VirtualBench(
                key: key, seed: options.seed, recorder: recorder,
                capture: capture?.write, executor)
            do {
                try await bench.flash(layout) { progress in
                    output.progress(
                        "flashing \(progress.region)", completed: progress.overallWritten, of: progress.overallTotal)
                }
            } catch {
                throw CommandFailure(error, .flashFailed)
            }
            let runner = SuiteRunner(
                suite, on: bench, executor: executor, recorder: recorder, options: options)
            interruption.whenRequested {
                executor.post { runner.assumeIsolated { $0.interrupt() } }
            }
            return await runner.run()
        }
    }
}
