import MonotonicTime
import BenchExecutor
import Testing

private actor Recorder {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var log: [String] = []

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func add(_ line: String) {
        log.append("\(executor.now.nanoseconds / 1_000_000) \(line)")
    }
}

@Suite struct BenchExecutorTests {
    @Test func virtualTimeJumpsAndEventsOfOneInstantKeepTheirOrder() throws {
        let executor = BenchExecutor()
        let log = try executor.run {
            let recorder = Recorder(executor)
            let clock = BenchClock(executor)
            for name in ["a", "b", "c"] {
                executor.schedule(at: .zero.advanced(by: .milliseconds(5))) {
                    recorder.assumeIsolated { $0.add(name) }
                }
            }
            executor.schedule(at: .zero.advanced(by: .milliseconds(2))) {
                recorder.assumeIsolated { $0.add("early") }
            }
            try await clock.sleep(for: .seconds(3600))
            await recorder.add("late")
            return await recorder.log
        }
        #expect(log == ["2 early", "5 a", "5 b", "5 c", "3600000 late"])
    }

    @Test func aCancelledEventDoesNotRun() throws {
        let executor = BenchExecutor()
        let log = try executor.run {
            let recorder = Recorder(executor)
            let event = executor.schedule(at: .zero.advanced(by: .seconds(1))) {
                recorder.assumeIsolated { $0.add("cancelled") }
            }
            executor.cancel(event)
            try await BenchClock(executor).sleep(for: .seconds(2))
            return await recorder.log
        }
        #expect(log.isEmpty)
    }

    @Test func aBodyThatCanNeverContinueIsADeadlock() throws {
        let executor = BenchExecutor()
        #expect(throws: BenchExecutor.Failure.deadlock(at: .zero.advanced(by: .seconds(1)))) {
            try executor.run {
                try await BenchClock(executor).sleep(for: .seconds(1))
                let never = AsyncStream<Int> {
                    executor.schedule(at: .zero) { [continuation = $0] in _ = continuation }
                }
                for await _ in never {}
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
    }

    @Test func cancellationEndsASleepAtOnce() throws {
        let executor = BenchExecutor()
        let woke = try executor.run {
            let clock = BenchClock(executor)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await clock.sleep(for: .seconds(1000)) }
                try await clock.sleep(for: .seconds(1))
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.waitForAll() }
                return clock.now
            }
        }
        #expect(woke == .zero.advanced(by: .seconds(1)))
    }

    @Test func aPostFromAnotherThreadWakesRealTime() throws {
        let executor = BenchExecutor(pace: .real)
        let value = try executor.run {
            await withCheckedContinuation { continuation in
                Task.detached { executor.post { continuation.resume(returning: 42) } }
            }
        }
        #expect(value == 42)
    }
}
