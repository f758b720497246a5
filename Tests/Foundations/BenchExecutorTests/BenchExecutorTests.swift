import MonotonicTime
import BenchExecutor
import Testing
import class Foundation.Thread

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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

/// Uses the executor when nothing refers to it any more, as a stream that has a listener's end to tell.
private final class Ending: Sendable {
    let executor: BenchExecutor
    let onEnd: @Sendable () -> Void

    init(_ executor: BenchExecutor, _ onEnd: @escaping @Sendable () -> Void) {
        self.executor = executor
        self.onEnd = onEnd
    }

    deinit { executor.post(onEnd) }
}

@Suite struct BenchExecutorTests {
    /// A cancelled action is released at once if it is the next one, and with the one before it otherwise.
    @Test(arguments: [false, true]) func whatEndsWithACancelledActionMayUseTheExecutor(isLater: Bool) throws {
        let executor = BenchExecutor()
        let ended = try executor.run {
            let recorder = Recorder(executor)
            if isLater { executor.schedule(at: .zero.advanced(by: .milliseconds(1))) {} }
            var ending: Ending? = Ending(executor) { recorder.assumeIsolated { $0.add("ended") } }
            let event = executor.schedule(at: .zero.advanced(by: .milliseconds(2))) { [ending] in _ = ending }
            ending = nil
            executor.cancel(event)
            try await BenchClock(executor).sleep(for: .milliseconds(5))
            return await recorder.log
        }
        #expect(ended == [isLater ? "1 ended" : "0 ended"])
    }

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
                Thread.detachNewThread { executor.post { continuation.resume(returning: 42) } }
            }
        }
        #expect(value == 42)
    }

    @Test(arguments: [BenchExecutor.Pace.virtual, .real]) func roughTimeIsNeverLate(pace: BenchExecutor.Pace) {
        let executor = BenchExecutor(pace: pace)
        for _ in 0..<1000 {
            let rough = executor.roughNow
            let now = executor.now
            #expect(rough <= now)
            // The precise clock was read in between.
            #expect(executor.roughNow >= now)
        }
    }

    @Test func eventsAreNotEarlyWhileDescriptorsAreWatched() throws {
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let watch = executor.watch(ends[0], for: .input) { Issue.record("nothing was written") }
            for wait in [Duration.milliseconds(1), .milliseconds(30), .milliseconds(90)] {
                let deadline = executor.now.advanced(by: wait)
                try await BenchClock(executor).sleep(until: deadline)
                #expect(executor.now >= deadline)
            }
            executor.unwatch(watch)
            for end in ends { close(end) }
        }
    }
}
