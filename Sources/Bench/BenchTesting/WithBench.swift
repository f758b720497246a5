public import Bench
import BenchExecutor
import ESPImage
import MonotonicTime
public import Testing

/// Runs `body` with a fresh bench: the board as it was just flashed, switched on, nobody connected.
///
/// The bench has a thread of its own, on which the body runs, and on the virtual bench a time of its own, which passes as
/// fast as the machine can. So tests run side by side; as many as the machine has processors.
///
/// What fails on the bench becomes an issue of the test, at the call that failed, with what happened before it; the test
/// ends there. `#expect` and `#require` work as everywhere. The bench ends with the body.
///
/// - Parameters:
///   - seed: in place of the trait's.
///   - abilities: what the test needs of a bench; on one without it the test is cancelled, with that reason.
///   - timeLimit: how long the body may take, on the bench's clock. A body that waits for what can never happen ends
///     here, as the board's clock goes on; in virtual time these are seconds.
/// - Throws: what `body` throws; ``TestFailure``, which the trait makes an issue.
@discardableResult
public func withBench<Result: Sendable>(
    seed: UInt64? = nil, needs abilities: Set<BenchAbility> = [], timeLimit: Duration = .seconds(600),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (TestBench) async throws -> Result
) async throws -> Result {
    guard let setup = BenchSetup.current else {
        throw TestSetupError(
            "withBench needs the trait .bench(sketch:), .bench(boards:) or .bench(peripheral:) on the test or its suite"
        )
    }
    // Within the body of another bench its time stands meanwhile.
    let prepared = try await BenchExecutor.waitElsewhere { try await PreparedBenches.ofProcess.bench(for: setup) }
    let run = TestRun(
        prepared: prepared, seed: seed ?? setup.seed, abilities: abilities, timeLimit: timeLimit,
        sourceLocation: sourceLocation)
    return try await BenchSlots.ofProcess.withSlot(of: prepared.kind) { try await run.run(body) }
}
