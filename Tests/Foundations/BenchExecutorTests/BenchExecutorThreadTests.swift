import BenchExecutor
import Foundation
import MonotonicTime
import Synchronization
import Testing

/// The state of a body, readable from other threads.
private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var lines: [String] { entries.withLock { $0 } }
    func add(_ line: String) { entries.withLock { $0.append(line) } }
}

@Suite struct BenchExecutorThreadTests {
    @TaskLocal private static var name = "nobody"

    /// Schedules events forever, like an advertising board.
    private static func tick(_ executor: BenchExecutor) {
        executor.schedule(at: executor.now.advanced(by: .milliseconds(10))) { tick(executor) }
    }

    @Test func theBodyRunsOnTheExecutorWithTheTaskLocalsOfItsCaller() async throws {
        let executor = BenchExecutor()
        let result = try await Self.$name.withValue("caller") {
            try await executor.runOnThread {
                try await BenchClock(executor).sleep(for: .seconds(3600))
                return (Self.name, Test.current != nil, executor.isIsolatingCurrentContext())
            }
        }
        #expect(result == ("caller", true, true))
        #expect(executor.now == .zero.advanced(by: .seconds(3600)))
    }

    @Test func anErrorOfTheBodyIsThrown() async throws {
        struct Fault: Error {}
        await #expect(throws: Fault.self) {
            try await BenchExecutor().runOnThread { throw Fault() }
        }
    }

    @Test func manyExecutorsRunConcurrently() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...50 {
                group.addTask {
                    let executor = BenchExecutor()
                    return try await executor.runOnThread {
                        try await BenchClock(executor).sleep(for: .seconds(number))
                        return number
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 1275)
    }

    @Test func waitingElsewhereIsNoDeadlock() async throws {
        let executor = BenchExecutor()
        let (values, source) = AsyncStream<Int>.makeStream()
        let idle = DispatchSemaphore(value: 0)
        let first = try await executor.runOnThread {
            // The value comes when the bench has nothing left to do.
            Thread {
                idle.wait()
                source.yield(7)
            }.start()
            executor.post { idle.signal() }
            return await BenchExecutor.waitElsewhere { await values.first { _ in true } }
        }
        #expect(first == 7)
    }

    @Test func virtualTimeStopsWhileABodyWaitsForAnotherThread() async throws {
        let executor = BenchExecutor()
        let (values, source) = AsyncStream<Void>.makeStream()
        let log = Log()
        try await executor.runOnThread {
            executor.schedule(at: executor.now.advanced(by: .seconds(1))) { log.add("event") }
            // Its turn comes after the body has begun to wait.
            executor.post {
                log.add("horizon \(executor.horizon == executor.now ? "now" : "later")")
                Thread { source.yield() }.start()
            }
            await BenchExecutor.waitElsewhere { _ = await values.first { _ in true } }
            log.add("waited")
            try await BenchClock(executor).sleep(for: .seconds(2))
        }
        #expect(log.lines == ["horizon now", "waited", "event"])
    }

    @Test func virtualTimeStopsWhileABodyRunsABodyOnAnotherExecutor() async throws {
        let outer = BenchExecutor()
        try await outer.runOnThread {
            Self.tick(outer)
            try await BenchExecutor().runOnThread {
                // As long as the other executor takes to do something.
                let (ticks, tick) = AsyncStream<Void>.makeStream()
                Thread {
                    usleep(20000)
                    tick.yield()
                }.start()
                await BenchExecutor.waitElsewhere { _ = await ticks.first { _ in true } }
            }
            #expect(outer.now == .zero)
        }
    }

    @Test func aBodyThatWaitsElsewhereForeverIsAbandonedWhenCancelled() async throws {
        let executor = BenchExecutor()
        let log = Log()
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await executor.runOnThread {
                log.add("interrupted")
            } onAbandonment: {
                log.add("abandoned")
            } _: {
                start.yield()
                await BenchExecutor.waitElsewhere {
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            }
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.lines == ["interrupted", "abandoned"])
    }

    @Test func aBodyThatCanNeverContinueIsInterruptedThenAbandoned() async throws {
        let executor = BenchExecutor()
        let log = Log()
        await #expect(throws: BenchExecutor.Failure.deadlock(at: .zero)) {
            try await executor.runOnThread {
                log.add("interrupted")
            } onAbandonment: {
                log.add("abandoned, isolated: \(executor.isIsolatingCurrentContext() == true)")
            } _: {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        #expect(log.lines == ["interrupted", "abandoned, isolated: true"])
    }

    @Test func aBodyThatEndsWhenInterruptedIsNotAbandoned() async throws {
        let executor = BenchExecutor()
        let log = Log()
        await #expect(throws: BenchExecutor.Failure.timeLimitExceeded(.seconds(5))) {
            try await executor.runOnThread(timeLimit: .seconds(5)) {
                log.add("interrupted at \(executor.now.nanoseconds / 1_000_000_000) s")
            } onAbandonment: {
                log.add("abandoned")
            } _: {
                Self.tick(executor)
                do { try await BenchClock(executor).sleep(for: .seconds(100)) } catch { log.add("cancelled") }
            }
        }
        #expect(log.lines == ["interrupted at 5 s", "cancelled"])
    }

    @Test(arguments: [BenchExecutor.Pace.virtual, .real])
    func cancellingTheCallerEndsAWaitingBody(pace: BenchExecutor.Pace) async throws {
        let executor = BenchExecutor(pace: pace)
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await executor.runOnThread {
                Self.tick(executor)
                start.yield()
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTimeLimitEndsABodyInRealTime() async throws {
        let executor = BenchExecutor(pace: .real)
        await #expect(throws: BenchExecutor.Failure.timeLimitExceeded(.milliseconds(20))) {
            try await executor.runOnThread(timeLimit: .milliseconds(20)) {
                try await BenchClock(executor).sleep(for: .seconds(100))
            }
        }
    }
}
