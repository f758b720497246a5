import BLECentral
import BLEClients
import BLECore
import BLEPeripheral
import BenchExecutor
import Console
import MonotonicTime
import Synchronization
import Testing

/// Serial lines on the virtual air: what goes wrong, and what is told.
@Suite struct BLESerialTests {
    @Test func itFindsTheBoardAndTalksToIt() async throws {
        for service in BLESerialService.allCases {
            var settings = SerialBoard.Settings()
            (settings.service, settings.echoes) = (service, true)
            try await BLESerialWorld.run(settings) { world in
                try await world.serial.send(line: "AT", ending: .cr)
                #expect(try await world.receive(3) == Array("AT\r".utf8))
                try await world.serial.waitUntilSent()
                #expect(
                    world.events.list == [
                        .link(.disconnected), .link(.searching), .link(.connecting(try: 1)),
                        .opened(
                            PeerID(DeviceAddress(0x240A_C4C0_0001, .public)), name: "HMSoft", service, chunk: 244),
                        .link(.connected),
                    ])
            }
        }
    }

    @Test func chunksAreAsLongAsTheMTULets() async throws {
        for (mtu, chunk) in [(23, 20), (50, 47), (185, 182), (247, 244), (517, 244)] {
            var settings = SerialBoard.Settings()
            settings.mtu = mtu
            try await BLESerialWorld.run(settings) { world in
                try await world.serial.send(noise(500, seed: 1))
                try await world.serial.waitUntilSent()
                let writes = world.board.state.withLock { $0.writes }
                #expect(writes.max() == chunk && writes.reduce(0, +) == 500, "\(mtu): \(writes)")
            }
        }
    }

    // MARK: Lost connections

    @Test func bytesWaitForTheNextConnection() async throws {
        try await BLESerialWorld.run { world in
            await world.cutLink()
            try await world.wait { $0 != .connected }
            let bytes = noise(5000, seed: 2)
            try await world.serial.send(bytes)
            #expect(await world.serial.counters.queued == 5000)
            await world.restoreLink()
            try await world.serial.waitUntilSent()
            #expect(world.board.state.withLock { $0.passedOn } == bytes)
            #expect(world.events.losses.isEmpty)
            #expect(await world.serial.counters.connections == 2)
        }
    }

    /// What was on its way is told; all else arrives once, in order.
    @Test(arguments: [false, true]) func whatIsLostInTheMiddleIsTold(counts: Bool) async throws {
        var settings = SerialBoard.Settings()
        settings.counts = counts
        try await BLESerialWorld.run(settings) { [settings] world in
            let bytes = noise(60_000, seed: 3)
            try await world.serial.send(bytes)
            for _ in 0..<3 {
                try await world.sleep(.milliseconds(800))
                await world.cutLink()
                try await world.wait { $0 != .connected }
                await world.restoreLink()
                try await world.wait { $0 == .connected }
            }
            try await world.serial.waitUntilSent()
            let counters = await world.serial.counters
            let passedOn = world.board.state.withLock { $0.passedOn }
            #expect(counters.connections == 4 && counters.queued == 0)
            #expect(counters.sent + counters.unconfirmed == bytes.count)
            #expect(counters.unconfirmed > 0 && counters.unconfirmed <= 3 * settings.capacity)
            #expect(world.events.losses.count == 3)
            let told = world.events.losses.map { if case .unconfirmed(let count) = $0 { count } else { 0 } }
            #expect(told.reduce(0, +) == counters.unconfirmed)
            // Some of what was not confirmed has arrived.
            #expect(passedOn.count >= counters.sent && passedOn.count <= bytes.count)
            #expect((0...3).contains(gaps(in: passedOn, of: bytes)))
        }
    }

    /// Both ways, whenever the link goes: each byte once.
    @Test(arguments: [false, true]) func nothingIsLostOrRepeatedByABoardThatNumbersItsBytes(counts: Bool) async throws {
        var settings = SerialBoard.Settings()
        (settings.counts, settings.numbers, settings.outputCapacity) = (counts, true, 1_000_000)
        try await BLESerialWorld.run(settings) { world in
            let (there, back) = (noise(60_000, seed: 3), noise(60_000, seed: 4))
            try await world.serial.send(there)
            await world.peripheral.perform { world.board.send(back, $0) }
            let receiving = Task(executorPreference: world.executor) { try await world.receive(back.count) }
            for wait in [173, 800, 31, 1200, 5] {
                try await world.sleep(.milliseconds(wait))
                await world.cutLink()
                try await world.wait { $0 != .connected }
                await world.restoreLink()
                try await world.wait { $0 == .connected }
            }
            try await world.serial.waitUntilSent()
            #expect(try await receiving.value == back)
            #expect(world.board.state.withLock { $0.passedOn } == there)
            #expect(world.events.losses.isEmpty)
            let counters = await world.serial.counters
            #expect(counters.connections == 6 && counters.sent == there.count && counters.unconfirmed == 0)
            #expect(counters.received == back.count)
        }
    }

    /// What the numbers say is of another time: it is told as of any board.
    @Test func aBoardThatWasOffHasForgotten() async throws {
        var settings = SerialBoard.Settings()
        (settings.counts, settings.numbers) = (true, true)
        try await BLESerialWorld.run(settings) { world in
            world.board.hold(true)
            try await world.serial.send(noise(1000, seed: 3))
            try await world.sleep(.seconds(1))
            await world.cutLink()
            try await world.wait { $0 != .connected }
            world.board.powerCycle()
            await world.restoreLink()
            try await world.wait { $0 == .connected }
            #expect(world.events.losses == [.unconfirmed(1000)])
        }
    }

    /// Bytes wait at a board that numbers them while nobody reads here, however many they are.
    @Test func aFullReceiveBufferStopsABoardThatNumbersItsBytes() async throws {
        var settings = SerialBoard.Settings()
        (settings.numbers, settings.outputCapacity) = (true, 2_000_000)
        try await BLESerialWorld.run(settings) { world in
            let bytes = noise(BLESerial.receiveLimit + 200_000, seed: 7)
            // A board's window: here all that is not acknowledged.
            for begin in stride(from: 0, to: bytes.count, by: 8192) {
                let room = { world.board.state.withLock { $0.output.count } < 8192 }
                for _ in 0..<50 where !room() { try await world.sleep(.milliseconds(10)) }
                guard room() else {
                    #expect(begin >= BLESerial.receiveLimit)
                    break
                }
                let part = Array(bytes[begin..<min(bytes.count, begin + 8192)])
                await world.peripheral.perform { world.board.send(part, $0) }
            }
            let waiting = world.board.state.withLock { $0.output.count }
            #expect(waiting > 0)
            #expect(world.events.losses.isEmpty)
            let first = try await world.receive(BLESerial.receiveLimit)
            #expect(first == Array(bytes.prefix(first.count)))
            try await world.sleep(.seconds(1))
            #expect(world.board.state.withLock { $0.output.isEmpty })
        }
    }

    /// Nothing is under way when nothing happens.
    @Test func anIdleLineAcknowledgesOnce() async throws {
        var settings = SerialBoard.Settings()
        settings.numbers = true
        try await BLESerialWorld.run(settings) { world in
            try await world.board.feed([1, 2, 3], world.peripheral)
            #expect(try await world.receive(3) == [1, 2, 3])
            try await world.sleep(.seconds(60))
            #expect(world.board.state.withLock { ($0.acknowledgements, $0.output.count) } == (2, 0))
        }
    }

    @Test func bytesThatCannotBeSentAreTold() async throws {
        try await BLESerialWorld.run(policy: ReconnectionPolicy(tries: 1)) { world in
            await world.peripheral.stop()
            try await world.wait { $0 != .connected }
            try await world.serial.send(noise(1000, seed: 4))
            // More than is kept: this call waits, and fails with the connection.
            let waiting = Task(executorPreference: world.executor) {
                try await world.serial.send(noise(BLESerial.sendLimit, seed: 5))
            }
            let reading = Task(executorPreference: world.executor) { try await world.serial.read() }
            let result = await waiting.result
            #expect(throws: CentralError.self) { try result.get() }
            let read = await reading.result
            #expect(throws: CentralError.self) { try read.get() }
            try await world.sleep(.milliseconds(1))
            #expect(world.events.losses == [.unsent(BLESerial.sendLimit)])
            #expect(await world.serial.counters.unsent == BLESerial.sendLimit)
            let error = await #expect(throws: CentralError.self) { try await world.serial.send([1]) }
            #expect(error?.code == .notConnected)
        }
    }

    @Test func aFullSendBufferHoldsTheCaller() async throws {
        try await BLESerialWorld.run { world in
            await world.cutLink()
            try await world.wait { $0 != .connected }
            let calling = Task(executorPreference: world.executor) {
                try await world.serial.send(noise(BLESerial.sendLimit + 1, seed: 6))
            }
            try await world.sleep(.seconds(1))
            #expect(await world.serial.counters.queued == BLESerial.sendLimit)
            calling.cancel()
            let result = await calling.result
            let error = #expect(throws: CentralError.self) { try result.get() }
            #expect(error?.detail == "send: cancelled, 65536 of 65537 bytes were taken")
            await world.restoreLink()
            try await world.serial.waitUntilSent()
        }
    }

    // MARK: Receiving

    @Test func whatNobodyReadsIsBoundedAndTold() async throws {
        try await BLESerialWorld.run { world in
            let limit = BLESerial.receiveLimit
            let bytes = noise(limit + 100_000, seed: 7)
            try await world.board.feed(bytes, world.peripheral)
            try await world.sleep(.seconds(1))
            #expect(world.events.losses == [.overflowBegan])
            let first = try await world.serial.read(upTo: limit * 2)
            #expect(first.count >= limit && first.count < limit + 244 && first == Array(bytes.prefix(first.count)))
            try await world.sleep(.milliseconds(1))
            #expect(world.events.losses == [.overflowBegan, .overflow(bytes.count - first.count)])
            #expect(await world.serial.counters.overflow == bytes.count - first.count)
            // Then it goes on.
            try await world.board.feed([1, 2, 3], world.peripheral)
            #expect(try await world.receive(3) == [1, 2, 3])
        }
    }

    @Test func emptyNotificationsAreNothing() async throws {
        try await BLESerialWorld.run { world in
            await world.peripheral.perform { peripheral in
                for value in [[], [0x41], [], []] as [[UInt8]] {
                    _ = try? peripheral.setValue([], of: BLESerialService.hm10.output)
                    _ = try? peripheral.notify(value, of: BLESerialService.hm10.output)
                }
            }
            let received = try await world.receive(1)
            #expect(received == [0x41])
            #expect(await world.serial.counters.received == 1)
        }
    }

    @Test(arguments: [23, 185]) func linesAreWholeWhereverTheyAreCut(mtu: Int) async throws {
        var settings = SerialBoard.Settings()
        settings.mtu = mtu
        try await BLESerialWorld.run(settings) { world in
            let text = ["", "a", "Übergrößenträger €€€€€€€€€€€€ 𝄞𝄞𝄞𝄞", "c", "last"]
            let sent = "\r\n" + text[1] + "\r" + text[2] + "\n" + text[3] + "\r\n" + text[4]
            let lines = world.serial.lines()
            try await world.board.feed(Array(sent.utf8), world.peripheral)
            #expect(try await first(4, of: lines) == Array(text.prefix(4)))
            // A CR and its LF in two notifications, and bytes that are no UTF-8.
            try await world.board.feed([0x0D], world.peripheral)
            try await world.sleep(.milliseconds(200))
            try await world.board.feed([0x0A, 0xFF, 0x0A], world.peripheral)
            #expect(try await first(2, of: lines) == ["last", "\u{FFFD}"])
            // The rest without an end comes with the end of the connection.
            try await world.board.feed(Array("rest".utf8), world.peripheral)
            try await world.sleep(.milliseconds(200))
            await world.serial.disconnect()
            #expect(try await first(1, of: lines) == ["rest"])
            await #expect(throws: CentralError.self) { try await first(1, of: lines) }
        }
    }

    @Test func eachEndingIsSent() async throws {
        try await BLESerialWorld.run { world in
            for ending in LineEnding.allCases { try await world.serial.send(line: "é", ending: ending) }
            try await world.serial.waitUntilSent()
            let bytes = LineEnding.allCases.flatMap { Array("é".utf8) + $0.bytes }
            #expect(world.board.state.withLock { $0.passedOn } == bytes)
            #expect(Set(LineEnding.allCases.map(\.bytes)) == [[0x0A], [0x0D], [0x0D, 0x0A], []])
        }
    }

    /// How many pieces of `whole` are missing in `part`.
    private func gaps(in part: [UInt8], of whole: [UInt8]) -> Int {
        var (gaps, index) = (0, 0)
        for (position, byte) in part.enumerated() {
            guard whole[index] != byte else {
                index += 1
                continue
            }
            gaps += 1
            let ahead = part[position..<min(part.count, position + 16)]
            guard let next = (index..<whole.count).first(where: { whole[$0...].starts(with: ahead) }) else { return -1 }
            index = next + 1
        }
        return gaps
    }
}
