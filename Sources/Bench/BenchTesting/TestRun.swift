import Bench
import BenchExecutor
import BenchModel
import Testing

/// One use of a fresh bench.
struct TestRun: Sendable {
    let prepared: PreparedBench
    let seed: UInt64
    let abilities: Set<BenchAbility>
    let timeLimit: Duration
    let sourceLocation: SourceLocation

    /// Makes the bench and runs `body` with it, on a thread of its own.
    func run<Result: Sendable>(_ body: @escaping @Sendable (TestBench) async throws -> Result) async throws -> Result {
        let executor = BenchExecutor(pace: prepared.kind.pace)
        let calls = CallTracker()
        do {
            return try await executor.runOnThread(timeLimit: timeLimit) {
                calls.interrupt()
            } onAbandonment: {
                calls.abandon()
            } _: {
                let session = BenchSession(on: try await prepared.make(seed, executor))
                var missing = abilities.subtracting(session.bench.abilities)
                if session.bench.boards.count < prepared.boardCount { missing.insert(.boards(prepared.boardCount)) }
                if let missing = missing.map(\.description).sorted().first {
                    try Test.cancel("needs: \(missing)", sourceLocation: sourceLocation)
                }
                return try await use(TestBench(session, seed: seed, calls), body)
            }
        } catch let failure as BenchExecutor.Failure {
            throw calls.failure(of: failure, timeLimit: timeLimit, at: sourceLocation)
        } catch let error as CancellationError {
            // The body may also throw a `CancellationError` itself.
            guard Task.isCancelled else { throw error }
            throw calls.failure(of: nil, timeLimit: timeLimit, at: sourceLocation)
        }
    }

    private func use<Result: Sendable>(
        _ bench: TestBench, _ body: @Sendable (TestBench) async throws -> Result
    ) async throws -> Result {
        let session = bench.session
        bench.calls.begin(session)
        do {
            await session.setNames([:], showsOthers: true)
            try await prepared.prepareBoard(session)
            let result = try await body(bench)
            if let crash = await session.failure, !bench.calls.isCrashReported {
                throw TestFailure(crash, session, sourceLocation)
            }
            if let point = await session.pointsToCome().first {
                let what = point.isPowerCut ? "the cut of the power" : "the fault"
                throw TestFailure(
                    BenchFailure(
                        .assertion, expected: "\(what) that was planned to come before the test ends",
                        got: point.got), session, sourceLocation)
            }
            if let held = await session.heldWithoutEffect() { throw TestFailure(held, session, sourceLocation) }
            let late = await end(bench)
            if let late {
                throw TestFailure(
                    BenchFailure(
                        .benchFault, expected: "every call to end before the body of withBench ends",
                        got: "a call that did not: await it"), session, late)
            }
            return result
        } catch let failure as TestFailure {
            _ = await end(bench)
            throw failure
        } catch let failure as BenchFailure {
            _ = await end(bench)
            throw TestFailure(failure, session, sourceLocation)
        } catch {
            Timeline.attach(session.recorder.recentEvents, sourceLocation)
            _ = await end(bench)
            throw error
        }
    }

    /// Ends the use of the bench; returns the source location of the oldest call still in progress.
    private func end(_ bench: TestBench) async -> SourceLocation? {
        let session = bench.session
        let late = bench.calls.close()
        if late != nil {
            await session.interrupt()
            // Waiting tasks resume before the clock advances.
            for _ in 0..<100 where bench.calls.isInUse { await Task.yield() }
        }
        await session.disconnectAll()
        if session.bench.abilities.contains(.power) {
            for index in session.bench.boards.indices {
                try? await session.setPower(false, of: BoardID(index: index))
            }
        }
        return late
    }
}
