import BLEClients
import BLECore
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// Nothing is lost at the speed of the line, both ways at once.
@Suite struct BLESerialSpeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var mtu: Int
        var service = BLESerialService.hm10
        var writes: CharacteristicProperties = [.writeWithoutResponse, .write]
        var counts = false
        var lossRate = 0.0
        var count = 1_000_000
        /// The most time it may take, as a share of the line's.
        var slowness = 1.05

        var testDescription: String {
            "MTU \(mtu), \(service.name)\(writes.contains(.write) ? "" : ", commands only")\(counts ? ", counting" : "")"
                + ", loss \(lossRate)"
        }
    }

    @Test(arguments: [
        Case(mtu: 23), Case(mtu: 185), Case(mtu: 247), Case(mtu: 247, counts: true),
        Case(mtu: 23, service: .nordicUART, writes: .writeWithoutResponse, count: 200_000),
        Case(mtu: 185, lossRate: 0.1, count: 200_000, slowness: 1.5),
        Case(mtu: 247, writes: .writeWithoutResponse, lossRate: 0.2, count: 100_000, slowness: 2),
        Case(mtu: 247, counts: true, lossRate: 0.2, count: 100_000, slowness: 2),
    ])
    func nothingIsLostBothWays(_ test: Case) async throws {
        var settings = SerialBoard.Settings()
        (settings.mtu, settings.service, settings.writes) = (test.mtu, test.service, test.writes)
        settings.counts = test.counts
        // A UART that cannot be held back; its bytes wait for those that were lost on the air.
        settings.outputCapacity = test.lossRate == 0 ? 2048 : 200_000
        let (there, back) = (noise(test.count, seed: 1), noise(test.count, seed: 2))
        try await BLESerialWorld.run(settings, lossRate: test.lossRate) { world in
            let start = world.executor.now
            let sending = Task(executorPreference: world.executor) {
                for begin in stride(from: 0, to: there.count, by: 10_000) {
                    try await world.serial.send(Array(there[begin..<begin + 10_000]))
                }
                try await world.serial.waitUntilSent()
            }
            let feeding = Task(executorPreference: world.executor) {
                try await world.board.feed(back, world.peripheral)
            }
            let received = try await world.receive(back.count)
            try await sending.value
            try await feeding.value
            let (passedOn, overrun, outputOverrun) = world.board.state.withLock {
                ($0.passedOn, $0.overrun, $0.outputOverrun)
            }
            #expect(passedOn == there)
            #expect(received == back)
            #expect(overrun == 0 && outputOverrun == 0)
            #expect(world.events.losses.isEmpty)
            let counters = await world.serial.counters
            #expect(counters.sent == there.count && counters.received == back.count && counters.queued == 0)
            let line = world.board.byteTime * test.count
            let time = start.duration(to: world.executor.now)
            #expect(time < line * test.slowness, "\(time) for \(line) of the line")
        }
    }

    @Test func aBoardOfAnotherRateIsPaced() async throws {
        for (rate, window) in [(9600, 192), (300, 64), (921_600, 18_432)] {
            var settings = SerialBoard.Settings()
            (settings.baudRate, settings.capacity) = (rate, window)
            let bytes = noise(min(3000, rate / 4), seed: 3)
            try await BLESerialWorld.run(settings, pace: BLESerialPace(baudRate: rate)) { world in
                try await world.serial.send(bytes)
                try await world.serial.waitUntilSent()
                #expect(world.board.state.withLock { $0.passedOn } == bytes)
                #expect(world.board.state.withLock { $0.overrun } == 0)
            }
        }
    }

    /// The judge of the others: the board does lose bytes of a client that sends faster.
    @Test func aBoardLosesBytesOfAClientThatIsTooFast() async throws {
        try await BLESerialWorld.run(pace: BLESerialPace(baudRate: 460_800)) { world in
            try await world.serial.send(noise(50_000, seed: 4))
            try await world.serial.waitUntilSent()
            #expect(world.board.state.withLock { $0.overrun } > 1000)
        }
    }

    /// A UART whose CTS is held: the bytes wait here.
    @Test func aHeldUARTLosesNothingOfABoardThatCounts() async throws {
        var settings = SerialBoard.Settings()
        settings.counts = true
        let bytes = noise(30_000, seed: 5)
        try await BLESerialWorld.run(settings) { [settings] world in
            world.board.hold(true)
            try await world.serial.send(bytes)
            try await world.sleep(.seconds(60))
            let held = world.board.state.withLock { $0.held?.count ?? 0 }
            #expect(held > settings.capacity - 244 && held <= settings.capacity)
            #expect(await world.serial.counters.sent == 0)
            world.board.hold(false)
            try await world.serial.waitUntilSent()
            #expect(world.board.state.withLock { $0.passedOn } == bytes)
            #expect(world.board.state.withLock { $0.overrun } == 0)
        }
    }
}
