import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEPackets
import BLERadio
import BenchExecutor
import CentralConformance
import MonotonicTime
import Synchronization
import Testing

/// The strength of connections.
@Suite struct RSSIPingTests {
    /// A transport whose controller's answers to Read RSSI can be changed, or lost.
    private final class Answers: HCITransport {
        enum Fault { case none, unknown, refused, short, silent }

        let fault = Mutex(Fault.none)
        private let transport: any HCITransport

        init(_ transport: any HCITransport) { self.transport = transport }

        func send(_ packet: HCIPacket) { transport.send(packet) }

        func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
            transport.setReceiver { packet in
                var packet = packet
                // Command Complete: code, length, credits, opcode 0x1405, status, handle, strength.
                if packet.kind == .event, packet.bytes.count == 9, packet.bytes[0] == 0x0E,
                    packet.bytes[3...4] == [0x05, 0x14]
                {
                    switch self.fault.withLock({ $0 }) {
                    case .none: break
                    case .unknown: packet.bytes[8] = 127
                    case .refused: packet.bytes = [0x0E, 4, 1, 0x05, 0x14, 0x0C]
                    case .short: packet.bytes = [0x0E, 4, 1, 0x05, 0x14, 0x00]
                    case .silent: return
                    }
                }
                receiver(packet)
            }
        }
    }

    private func run(
        _ body: @escaping @Sendable (BenchExecutor, Peripheral, Answers) async throws -> Void
    ) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor)
            let answers = Answers(await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public)))
            let central = Central(HCICentral(executor: executor, transport: answers), on: executor)
            try await central.powerOn()
            let peripheral = central.peripheral(PeerID(ConformancePeer.addresses[0]))
            try await peripheral.connect()
            try await body(executor, peripheral, answers)
            await central.close()
        }
        executor.discardEvents()
    }

    @Test func theStrengthIsThatOfTheAir() async throws {
        try await run { _, peripheral, answers in
            let heard = try await first(1, of: try await peripheral.central.sightings()).first?.rssi
            #expect(try await peripheral.rssi() == heard)
            answers.fault.withLock { $0 = .unknown }
            #expect(try await peripheral.rssi() == nil)
            answers.fault.withLock { $0 = .refused }
            #expect(
                await #expect(throws: CentralError.self) { try await peripheral.rssi() }?.code
                    == .controller(status: 0x0C))
            answers.fault.withLock { $0 = .short }
            let short = await #expect(throws: CentralError.self) { try await peripheral.rssi() }
            #expect(
                short?.detail == "HCI Read RSSI: expected its return parameters, got 1 bytes of parameters")
            try await peripheral.disconnect()
            #expect(
                await #expect(throws: CentralError.self) { try await peripheral.rssi() }?.code == .notConnected)
        }
    }

    @Test func itIsReadEveryTwoSecondsUntilTheConnectionEnds() async throws {
        try await run { executor, peripheral, answers in
            let start = executor.now
            let readings = try await RSSIPing(peripheral).readings()
            var all: [RSSIPing.Reading] = []
            var times: [Duration] = []
            for await reading in readings {
                all.append(reading)
                times.append(start.duration(to: executor.now))
                if all.count == 2 { answers.fault.withLock { $0 = .unknown } }
                if all.count == 3 { answers.fault.withLock { $0 = .refused } }
                if all.count == 4 {
                    answers.fault.withLock { $0 = .none }
                    try? await ClientWorld.trigger(ConformancePeer.Trigger.disconnect, peripheral)
                }
            }
            let strength = try #require(all.first)
            guard case .strength = strength, all.count == 4, case .failed(let error) = all[3] else {
                Issue.record("\(all)")
                return
            }
            #expect(all[1] == strength && all[2] == .unknown && error.code == .controller(status: 0x0C))
            #expect(times.enumerated().allSatisfy { $1 - .seconds(2 * $0) < .milliseconds(10) }, "\(times)")
            // It ended with the connection, and not at the next reading.
            #expect(start.duration(to: executor.now) < .seconds(7))
        }
    }

    @Test func aControllerThatDoesNotAnswerIsTold() async throws {
        try await run { _, peripheral, answers in
            answers.fault.withLock { $0 = .silent }
            let readings = try await RSSIPing(peripheral, every: .seconds(1)).readings()
            // The host gives the controller up after 2 s, which ends the connection.
            let all = try await first(99, of: readings)
            #expect(!all.isEmpty)
            for reading in all {
                guard case .failed(let error) = reading else {
                    Issue.record("\(reading)")
                    continue
                }
                #expect(error.code == .timedOut)
            }
        }
    }

    @Test func itEndsWithItsListener() async throws {
        try await run { executor, peripheral, answers in
            let ping = RSSIPing(peripheral, every: .milliseconds(100))
            #expect(try await first(3, of: try await ping.readings()).count == 3)
            // A listener that has gone does not notice a controller that does not answer.
            answers.fault.withLock { $0 = .silent }
            try await BenchClock(executor).sleep(for: .seconds(5))
            #expect(await peripheral.connectionState == .connected)
        }
    }

    @Test func itNeedsAConnection() async throws {
        try await ClientWorld.run { world in
            let error = await #expect(throws: CentralError.self) {
                try await RSSIPing(world.peripheral()).readings()
            }
            #expect(error?.code == .notConnected)
        }
    }
}
