import MonotonicTime
import Synchronization
import Testing
import class Foundation.Thread

import BenchExecutor

/// Virtual time that is held back: as a pure rule, and on an executor.
@Suite struct TempoTests {
    private static let start = MonotonicInstant.zero.advanced(by: .seconds(5))

    private static func at(_ duration: Duration) -> MonotonicInstant { start.advanced(by: duration) }

    @Test func aTempoAllowsItsSpeed() {
        let tempo = Tempo(speed: 2, from: Self.start, at: 1_000)
        #expect(tempo.limit(at: 1_000) == Self.start)
        #expect(tempo.limit(at: 500_001_000) == Self.at(.seconds(1)))
        #expect(tempo.wait(until: Self.at(.seconds(1)), at: 1_000) == 500_000_000)
        #expect(tempo.wait(until: Self.start, at: 1_000) == 0)
        // A clock that goes back.
        #expect(tempo.limit(at: 0) == Self.start)
    }

    @Test func aTempoOfZeroStands() {
        var tempo = Tempo(speed: 0, from: Self.start, at: 0)
        #expect(tempo.limit(at: .max) == Self.start)
        #expect(tempo.wait(until: Self.at(.nanoseconds(1)), at: 0) == nil)
        tempo.allow(Self.at(.milliseconds(10)), at: 7)
        #expect(tempo.limit(at: .max) == Self.at(.milliseconds(10)))
        tempo.allow(Self.start, at: 7)
        #expect(tempo.limit(at: .max) == Self.at(.milliseconds(10)))
    }

    @Test(arguments: [Double.nan, -1, .infinity, -.infinity]) func aSpeedThatIsNoneStands(_ speed: Double) {
        #expect(Tempo(speed: speed, from: Self.start, at: 0).limit(at: 1_000_000) == Self.start)
    }

    @Test func aLongLagIsGivenUpAndAShortOneIsNot() {
        var tempo = Tempo(speed: 1, from: Self.start, at: 0)
        tempo.slip(to: Self.at(.milliseconds(900)), at: 1_000_000_000)
        #expect(tempo.limit(at: 1_000_000_000) == Self.at(.seconds(1)))
        tempo.slip(to: Self.at(.milliseconds(100)), at: 1_000_000_000)
        #expect(tempo.limit(at: 1_000_000_000) == Self.at(.milliseconds(100)))
    }

    @Test func timeStandsUntilItIsSteppedOn() throws {
        let executor = BenchExecutor()
        let order = Mutex<[String]>([])
        try executor.run {
            let clock = BenchClock(executor)
            executor.schedule(at: .zero.advanced(by: .seconds(10))) { order.withLock { $0.append("event") } }
            executor.speed = 0
            // From another thread, as a page does it.
            let stepper = Thread {
                order.withLock { $0.append("step") }
                executor.step(by: .seconds(4))
                executor.step(by: .seconds(5))
                order.withLock { $0.append("next") }
                executor.stepToNextEvent()
            }
            stepper.start()
            // Until an instant, not for a duration: the other thread may step before the sleep begins.
            try await clock.sleep(until: .zero.advanced(by: .seconds(10)))
            order.withLock { $0.append("slept") }
        }
        #expect(order.withLock { $0 } == ["step", "next", "event", "slept"])
        #expect(executor.now == .zero.advanced(by: .seconds(10)))
    }

    @Test func stepsAddUpWhereverTheTimeIs() throws {
        let executor = BenchExecutor()
        try executor.run {
            executor.speed = 0
            let deadline = MonotonicInstant.zero.advanced(by: .seconds(3))
            let sleeper = Task(executorPreference: executor) { try await BenchClock(executor).sleep(until: deadline) }
            await Task.yield()
            // Time has not gone on when the next one comes.
            for _ in 0..<3 { executor.step(by: .seconds(1)) }
            try #require(executor.now == deadline)
            try await sleeper.value
        }
        #expect(executor.now == .zero.advanced(by: .seconds(3)))
    }

    @Test func heldTimeIsExactAndWithoutEventsNoDeadlock() throws {
        let executor = BenchExecutor()
        let times = try executor.run {
            executor.speed = 1000
            var times: [Int64] = []
            for _ in 0..<3 {
                try await BenchClock(executor).sleep(until: executor.now.advanced(by: .zero))
                let due = executor.now.advanced(by: .seconds(1))
                await withCheckedContinuation { continuation in
                    executor.schedule(at: due) { continuation.resume() }
                }
                times.append(executor.now.nanoseconds - due.nanoseconds)
            }
            // Nothing is scheduled: an unheld bench would end here.
            await withCheckedContinuation { continuation in
                Thread { continuation.resume() }.start()
            }
            return times
        }
        #expect(times.allSatisfy { $0 >= 0 })
    }
}
