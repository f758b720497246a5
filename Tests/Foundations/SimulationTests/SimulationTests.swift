import MonotonicTime
import Simulation
import Testing

private actor Recorder {
    nonisolated let simulation: Simulation
    nonisolated var unownedExecutor: UnownedSerialExecutor { simulation.asUnownedSerialExecutor() }
    var log: [String] = []

    init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    func add(_ line: String) {
        log.append("\(simulation.now.nanoseconds / 1_000_000) \(line)")
    }
}

@Suite struct SimulationTests {
    @Test func virtualTimeJumpsAndEventsOfOneInstantKeepTheirOrder() throws {
        let simulation = Simulation()
        let log = try simulation.run {
            let recorder = Recorder(simulation)
            let clock = SimulationClock(simulation)
            for name in ["a", "b", "c"] {
                simulation.schedule(at: .zero.advanced(by: .milliseconds(5))) {
                    recorder.assumeIsolated { $0.add(name) }
                }
            }
            simulation.schedule(at: .zero.advanced(by: .milliseconds(2))) {
                recorder.assumeIsolated { $0.add("early") }
            }
            try await clock.sleep(for: .seconds(3600))
            await recorder.add("late")
            return await recorder.log
        }
        #expect(log == ["2 early", "5 a", "5 b", "5 c", "3600000 late"])
    }

    @Test func aCancelledEventDoesNotRun() throws {
        let simulation = Simulation()
        let log = try simulation.run {
            let recorder = Recorder(simulation)
            let event = simulation.schedule(at: .zero.advanced(by: .seconds(1))) {
                recorder.assumeIsolated { $0.add("cancelled") }
            }
            simulation.cancel(event)
            try await SimulationClock(simulation).sleep(for: .seconds(2))
            return await recorder.log
        }
        #expect(log.isEmpty)
    }

    @Test func aBodyThatCanNeverGoOnIsADeadlock() throws {
        let simulation = Simulation()
        #expect(throws: Simulation.Failure.deadlock(at: .zero.advanced(by: .seconds(1)))) {
            try simulation.run {
                try await SimulationClock(simulation).sleep(for: .seconds(1))
                let never = AsyncStream<Int> {
                    simulation.schedule(at: .zero) { [continuation = $0] in _ = continuation }
                }
                for await _ in never {}
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
    }

    @Test func cancellationEndsASleepAtOnce() throws {
        let simulation = Simulation()
        let woke = try simulation.run {
            let clock = SimulationClock(simulation)
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

    @Test func realTimeIsWokenByAPostFromAnotherThread() throws {
        let simulation = Simulation(pace: .real)
        let value = try simulation.run {
            await withCheckedContinuation { continuation in
                Task.detached { simulation.post { continuation.resume(returning: 42) } }
            }
        }
        #expect(value == 42)
    }
}
