import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import CentralConformance
import MonotonicTime
import Testing

/// Connections that are kept.
@Suite struct ReconnectorTests {
    @Test func aLostConnectionIsMadeAgainWithItsSubscription() async throws {
        try await ClientWorld.run { world in
            let heard = AsyncStream.makeStream(of: [UInt8].self)
            let reconnector = Reconnector(
                world.peripheral(), policy: ReconnectionPolicy(tries: 10)
            ) { peripheral in
                let service = try await peripheral.service(ConformancePeer.service)
                let values = try await service.characteristic(ConformancePeer.output).values()
                Task(executorPreference: world.executor) {
                    for try await value in values { heard.continuation.yield(value) }
                }
            }
            let events = await reconnector.events()
            try await reconnector.connect()
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), world.peripheral())
            try? await ClientWorld.trigger(ConformancePeer.Trigger.vanish, world.peripheral())
            var all: [Reconnector.Event] = []
            for await event in events {
                all.append(event)
                if all.filter({ $0 == .connected }).count == 2 { break }
            }
            #expect(
                Array(all.prefix(4)) == [
                    .connecting(failures: 0), .connected, .lost(reason: 0x08), .connecting(failures: 0),
                ])
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(2), world.peripheral())
            #expect(try await first(3, of: heard.stream) == [[0], [0], [1]])
            try await reconnector.disconnect()
        }
    }

    @Test func itIsGivenUpAfterAsManyTriesAsThePolicyHas() async throws {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let reconnector = Reconnector(nobody)
            let events = await reconnector.events()
            let start = world.executor.now
            let error = await #expect(throws: CentralError.self) { try await reconnector.connect() }
            #expect(error?.code == .timedOut)
            // Four attempts of 5 s, 1 s apart.
            #expect(start.duration(to: world.executor.now) == .seconds(23))
            let failures = try await first(8, of: events).compactMap { event -> String? in
                guard case .failed(_, let failures, let pause) = event else { return nil }
                return "\(failures) \(pause.map { "\($0)" } ?? "given up")"
            }
            #expect(failures == ["1 1.0 seconds", "2 1.0 seconds", "3 1.0 seconds", "4 given up"])
            // It may be tried again.
            #expect(await #expect(throws: CentralError.self) { try await reconnector.connect() }?.code == .timedOut)
        }
    }

    @Test func noneIsMadeAfterAPurposefulEnd() async throws {
        try await ClientWorld.run { world in
            let reconnector = Reconnector(world.peripheral())
            let events = await reconnector.events()
            try await reconnector.connect()
            try await reconnector.disconnect()
            try await world.sleep(.seconds(30))
            #expect(await world.peripheral().connectionState == .disconnected)
            // Also if it is ended without the reconnector.
            try await reconnector.connect()
            try await world.peripheral().disconnect()
            try await world.sleep(.seconds(30))
            #expect(await world.peripheral().connectionState == .disconnected)
            #expect(
                try await first(6, of: events) == [
                    .connecting(failures: 0), .connected, .ended, .connecting(failures: 0), .connected, .ended,
                ])
        }
    }

    /// Reconnection that is switched off: a loss is told, and nothing follows.
    @Test func aLostConnectionStaysLostWithoutReconnection() async throws {
        try await ClientWorld.run { world in
            let reconnector = Reconnector(world.peripheral(), policy: .never)
            let events = await reconnector.events()
            try await reconnector.connect()
            try? await ClientWorld.trigger(ConformancePeer.Trigger.vanish, world.peripheral())
            let lost = try await first(3, of: events)
            #expect(lost == [.connecting(failures: 0), .connected, .lost(reason: 0x08)])
            // The peer is back long since.
            try await world.sleep(.seconds(60))
            #expect(await world.peripheral().connectionState == .disconnected)
            #expect(await !reconnector.isConnected)
            // It may be connected again, which is the next event.
            try await reconnector.connect()
            #expect(await reconnector.isConnected)
            let again = try await first(2, of: events)
            #expect(again == [.connecting(failures: 0), .connected])
            try await reconnector.disconnect()
        }
    }

    @Test func aFailedConnectionIsNotTriedAgainWithoutReconnection() async throws {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let reconnector = Reconnector(nobody, policy: .never)
            let start = world.executor.now
            let error = await #expect(throws: CentralError.self) { try await reconnector.connect() }
            #expect(error?.code == .timedOut)
            #expect(start.duration(to: world.executor.now) == .seconds(5))
        }
    }

    @Test func thePeersOwnEndIsALoss() async throws {
        try await ClientWorld.run { world in
            let reconnector = Reconnector(world.peripheral())
            let events = await reconnector.events()
            try await reconnector.connect()
            try? await ClientWorld.trigger(ConformancePeer.Trigger.disconnect, world.peripheral())
            #expect(
                try await first(5, of: events) == [
                    .connecting(failures: 0), .connected, .lost(reason: 0x13), .connecting(failures: 0), .connected,
                ])
            try await reconnector.disconnect()
        }
    }

    @Test func whatCannotBeSetUpIsAFailure() async throws {
        try await ClientWorld.run { world in
            let reconnector = Reconnector(world.peripheral(), policy: ReconnectionPolicy(tries: 1)) { peripheral in
                _ = try await peripheral.service(BLEUUID(0x180D))
            }
            let error = await #expect(throws: CentralError.self) { try await reconnector.connect() }
            #expect(error?.detail.contains("expected the service 180D") == true)
            #expect(await world.peripheral().connectionState == .disconnected)
        }
    }

    @Test func disconnectingEndsTheTries() async throws {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let reconnector = Reconnector(nobody, policy: ReconnectionPolicy(tries: nil))
            let connecting = Task(executorPreference: world.executor) { try await reconnector.connect() }
            try await world.sleep(.seconds(60))
            try await reconnector.disconnect()
            let result = await connecting.result
            #expect(throws: CentralError.self) { try result.get() }
            #expect(await nobody.connectionState == .disconnected)
        }
    }

    @Test func aCancelledCallEndsTheTries() async throws {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let reconnector = Reconnector(nobody, policy: ReconnectionPolicy(tries: nil))
            for time in [Duration.zero, .seconds(1), .milliseconds(5500), .seconds(60)] {
                let connecting = Task(executorPreference: world.executor) { try await reconnector.connect() }
                try await world.sleep(time)
                connecting.cancel()
                let result = await connecting.result
                #expect(throws: CentralError.self) { try result.get() }
                try await world.sleep(.seconds(60))
                #expect(await nobody.connectionState == .disconnected)
            }
        }
    }

    @Test func aClosedCentralEndsIt() async throws {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let kept = Reconnector(world.peripheral())
            let lacking = Reconnector(nobody, policy: ReconnectionPolicy(tries: nil))
            let events = await kept.events()
            try await kept.connect()
            let connecting = Task(executorPreference: world.executor) { try await lacking.connect() }
            try await world.sleep(.seconds(1))
            await world.central.close()
            let result = await connecting.result
            #expect(throws: CentralError.self) { try result.get() }
            #expect(try await first(3, of: events) == [.connecting(failures: 0), .connected, .ended])
            #expect(await !kept.isConnected)
        }
    }

    @Test func pausesGrowToTheirLimit() {
        let policy = ReconnectionPolicy(tries: 5, pause: .seconds(1), growth: 2, maximumPause: .seconds(5))
        #expect(
            (1...6).map { policy.pause(after: $0) } == [
                .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), nil,
            ])
        #expect(ReconnectionPolicy.never.pause(after: 1) == nil)
        #expect(ReconnectionPolicy(tries: nil).pause(after: 1_000_000) == .seconds(1))
    }
}
