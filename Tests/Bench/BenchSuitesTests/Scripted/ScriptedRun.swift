import Bench
import BenchExecutor
import BenchModel
import BenchSuites

private let head = """
    suite: Scripted
    sketch: Calculator
    uuids:
      service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079
      input: C1AB2C55-7914-4140-B85B-879C5E252FE5
      output: 643954A4-A6CC-455C-825C-499190CE7DB0
    before:
      - connect: {advertising: service}
      - subscribe: output
    cases:

    """

/// Runs these cases on a fresh scripted bench, in real time, on a thread of its own.
func runScripted(_ cases: String, _ misbehaviour: ScriptedCentral.Misbehaviour = []) async throws -> SuiteResult {
    let suite = try Suite(yaml: head + cases, file: "scripted.yaml")
    let executor = BenchExecutor(pace: .real)
    let scripted = ScriptedBench(executor, misbehaviour: misbehaviour)
    defer { scripted.stop() }
    return try await executor.runOnThread {
        let session = BenchSession(on: scripted.bench)
        await session.start()
        let options = RunOptions(run: RunInformation(seed: 0, bench: scripted.bench.name))
        return await SuiteRunner(suite, in: session, options: options).run()
    }
}
