import BLECentral
import BLEClients
import Bench
import BenchExecutor
import BenchTesting
import MonotonicTime
import Testing

/// The serial client with the sketch `Firmware/SerialBridge`, whatever happens to the link between them.
@Suite(.bench(sketch: "Firmware/SerialBridge", seed: 7)) struct SerialBridgeTests {
    private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
    }

    /// Each byte arrives once, both ways: also those that were on their way when a link was lost.
    @Test(arguments: [1, 2, 3] as [UInt64]) func nothingIsLostOrRepeatedOverLostLinks(seed: UInt64) async throws {
        let (there, back) = (Self.noise(60_000, seed: seed), Self.noise(60_000, seed: seed + 100))
        try await withBench(seed: seed) { bench in
            let session = bench.session
            let executor = session.bench.executor
            try await session.wire(uart: 1, watchesRTS: true)
            let stack = try await session.bench.centrals.makeCentral(address: nil)
            let central = Central(stack.backend, on: executor)
            let serial = BLESerial(central, policy: ReconnectionPolicy(tries: 30))
            let events = await serial.events()
            await serial.connect()
            let receiving = Task(executorPreference: executor) {
                var bytes: [UInt8] = []
                while bytes.count < back.count { bytes += try await serial.read() }
                return bytes
            }
            try await serial.send(there)
            try await session.send(back, uart: 1)
            // Lost wherever it is: while it searches, discovers, is set up, sends.
            var generator = SeededRandom(seed: seed)
            for _ in 0..<6 {
                await session.advance(by: .milliseconds(Int64(generator.next() % 2000) + 200))
                try await session.setAir(loss: nil, pathLoss: 200)
                await session.advance(by: .milliseconds(Int64(generator.next() % 8000) + 100))
                try await session.setAir(loss: nil, pathLoss: 55)
            }
            try await serial.waitUntilSent()
            try await session.expect(.uart(1, ValueMatch(bytes: there)), within: .seconds(10))
            #expect(try await receiving.value == back)
            let counters = await serial.counters
            #expect(counters.sent == there.count && counters.received == back.count && counters.unconfirmed == 0)
            #expect(counters.connections > 2)
            await serial.disconnect()
            for await event in events {
                switch event {
                case .link, .opened: continue
                case .over: break
                default: Issue.record("\(event)")
                }
                break
            }
            await central.close()
        }
    }
}
