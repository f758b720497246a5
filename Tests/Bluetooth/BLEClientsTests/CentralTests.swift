import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import MonotonicTime
import Testing

/// The library's central, on the virtual air.
@Suite struct CentralTests {
    @Test func statesAreToldInOrder() async throws {
        let executor = BenchExecutor()
        let states = try await executor.runOnThread {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            let states = await central.states()
            try await central.powerOn()
            await central.close()
            return try await first(9, of: states)
        }
        executor.discardEvents()
        #expect(states == [.unknown, .poweredOn, .unknown])
    }

    @Test func eachListenerHasTheSightingsOfItsFilter() async throws {
        try await ClientWorld.run { world in
            let all = try await world.central.sightings()
            let named = try await world.central.sightings(ScanFilter(name: ConformancePeer.name(1)))
            let nothing = try await world.central.sightings(ScanFilter(services: [BLEUUID(0x1234)]))
            let peers = Set(try await first(3, of: all).map(\.peer))
            #expect(peers == Set(ConformancePeer.addresses.map { PeerID($0) }))
            #expect(try await first(1, of: named).first?.peer == PeerID(ConformancePeer.addresses[1]))
            let listening = Task(executorPreference: world.executor) { try await first(1, of: nothing) }
            try await world.sleep(.seconds(3))
            listening.cancel()
            #expect(try await listening.value.isEmpty)
            #expect(await world.central.knownPeer(named: ConformancePeer.name(2)) == world.peripheral(2).id)
            #expect(await world.central.knownPeers.count == 3)
        }
    }

    @Test func whoeverListensLaterHearsThemToo() async throws {
        try await ClientWorld.run { world in
            let early = try await world.central.sightings()
            #expect(Set(try await first(3, of: early).map(\.peer)).count == 3)
            let still = try await world.central.sightings()
            try await world.sleep(.seconds(3))
            let late = try await world.central.sightings()
            let listening = Task(executorPreference: world.executor) { try await first(3, of: late) }
            try await world.sleep(.seconds(3))
            listening.cancel()
            #expect(Set(try await listening.value.map(\.peer)).count == 3)
            // The others do not hear them again.
            let again = Task(executorPreference: world.executor) { try await first(99, of: still) }
            try await world.sleep(.seconds(1))
            again.cancel()
            #expect(try await again.value.count <= 6)
        }
    }

    @Test func scanningEndsWithItsLastListener() async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let backend = HCICentral(executor: executor, transport: port)
            let central = Central(backend, on: executor)
            try await central.powerOn()
            _ = try await first(1, of: try await central.sightings())
            _ = try await first(1, of: try await central.sightings())
            try await BenchClock(executor).sleep(for: .seconds(1))
            let time = await central.knownPeers.values.map(\.time).max()
            try await BenchClock(executor).sleep(for: .seconds(5))
            #expect(await central.knownPeers.values.map(\.time).max() == time)
            await central.close()
        }
        executor.discardEvents()
    }

    @Test func aSearchForNobodyEndsInTime() async throws {
        try await ClientWorld.run { world in
            let start = world.executor.now
            let error = await #expect(throws: CentralError.self) {
                _ = try await world.central.firstSighting(ScanFilter(name: "nobody"), within: .seconds(2))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.detail == "search: expected a peer that has the name 'nobody' in time, heard none")
            #expect(start.duration(to: world.executor.now) == .seconds(2))
        }
    }

    @Test func valuesAreReadWrittenAndHeard() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            try await peripheral.connect()
            let service = try await peripheral.service(ConformancePeer.service)
            let value = try service.characteristic(ConformancePeer.value)
            #expect(try await value.read() == [7])
            try await value.write([1, 2, 3])
            #expect(try await value.read() == [1, 2, 3])
            let output = try service.characteristic(ConformancePeer.output)
            // Two listeners, one subscription.
            let one = try await output.values()
            let other = try await output.values()
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(3), peripheral)
            #expect(try await first(3, of: one) == [[0], [1], [2]])
            try await world.sleep(.seconds(1))
            // The second still listens.
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), peripheral)
            #expect(try await first(4, of: other) == [[0], [1], [2], [0]])
            let indicated = try service.characteristic(ConformancePeer.indicated)
            let values = try await indicated.values()
            try await ClientWorld.trigger(ConformancePeer.Trigger.indicate(9), peripheral)
            #expect(try await first(1, of: values) == [[9]])
        }
    }

    /// The last listener's end and a new listener at the same moment.
    @Test func aSubscriptionThatIsEndedAndBegunAtOnceIsThere() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            try await peripheral.connect()
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            for round in 0..<20 {
                let values = try await output.values()
                try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), peripheral)
                #expect(try await first(1, of: values) == [[0]], "round \(round)")
            }
        }
    }

    @Test func aLostLinkEndsWhatDependsOnIt() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            let states = await peripheral.connectionStates()
            let disconnections = await world.central.disconnections()
            try await peripheral.connect()
            let connection = await peripheral.connection
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            let values = try await output.values()
            try? await ClientWorld.trigger(ConformancePeer.Trigger.vanish, peripheral)
            let error = await #expect(throws: CentralError.self) { _ = try await first(1, of: values) }
            #expect(error?.code == .disconnected(reason: 0x08))
            #expect(try await first(4, of: states) == [.disconnected, .connecting, .connected, .disconnected])
            #expect(
                try await first(1, of: disconnections) == [
                    Disconnection(
                        peer: peripheral.id, connection: try #require(connection), reason: 0x08, isPurposeful: false)
                ])
            let late = await #expect(throws: CentralError.self) { _ = try await output.read() }
            #expect(late?.code == .notConnected)
        }
    }

    @Test func aPurposefulEndIsNoError() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            let disconnections = await world.central.disconnections()
            try await peripheral.connect()
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            let values = try await output.values()
            try await peripheral.disconnect()
            try await peripheral.disconnect()
            #expect(try await first(1, of: values).isEmpty)
            #expect(try await first(1, of: disconnections).map(\.isPurposeful) == [true])
        }
    }

    @Test func connectionsAreRefusedAtTheLimitAndTwice() async throws {
        try await ClientWorld.run { world in
            await world.central.setConnectionLimit(2)
            try await world.peripheral(0).connect()
            let twice = await #expect(throws: CentralError.self) { try await world.peripheral(0).connect() }
            #expect(twice?.code == .invalidState)
            let second = Task(executorPreference: world.executor) { try await world.peripheral(1).connect() }
            let third = Task(executorPreference: world.executor) { try await world.peripheral(2).connect() }
            let results = [await second.result, await third.result].map { (try? $0.get()) != nil }
            #expect(results == [true, false])
            let error = await #expect(throws: CentralError.self) { try await world.peripheral(2).connect() }
            #expect(error?.detail.hasSuffix("expected at most 2 connections, there are as many") == true)
            #expect(
                await world.central.connectedPeripherals.map(\.id) == [world.peripheral(0).id, world.peripheral(1).id])
            try await world.peripheral(0).disconnect()
            try await world.peripheral(2).connect()
        }
    }

    /// The watchdog of connecting: 5.0 s unless the caller says otherwise, told by an error and by the states.
    @Test(arguments: [nil, Duration.milliseconds(1500)]) func connectingEndsAtItsTimeLimit(limit: Duration?)
        async throws
    {
        try await ClientWorld.run { world in
            let nobody = world.central.peripheral(PeerID(ConformancePeer.absentAddress))
            let states = await nobody.connectionStates()
            let (start, time) = (world.executor.now, limit ?? .seconds(5))
            let connecting = Task(executorPreference: world.executor) {
                if let limit { try await nobody.connect(within: limit) } else { try await nobody.connect() }
            }
            let error = await #expect(throws: CentralError.self) { try await connecting.value }
            #expect(error?.code == .timedOut)
            #expect(error?.detail == "connect to 24:0A:C4:C0:00:FF: expected a connection in time, got none")
            #expect(start.duration(to: world.executor.now) == time)
            let told = try await first(3, of: states)
            #expect(told == [.disconnected, .connecting, .disconnected])
        }
    }

    @Test func anOperationEndsAtItsTimeLimit() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            try await peripheral.connect()
            let value = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.value)
            try? await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.trigger)
                .write(ConformancePeer.Trigger.hang, .withoutResponse)
            let start = world.executor.now
            let error = await #expect(throws: CentralError.self) { _ = try await value.read(within: .seconds(3)) }
            #expect(error?.code == .timedOut)
            #expect(error?.detail == "read FF01: expected a response in time, got none")
            #expect(start.duration(to: world.executor.now) == .seconds(3))
        }
    }

    @Test func whatIsNotThereIsNamed() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            let early = await #expect(throws: CentralError.self) { _ = try await peripheral.services() }
            #expect(early?.code == .notConnected)
            try await peripheral.connect()
            let service = await #expect(throws: CentralError.self) { _ = try await peripheral.service(BLEUUID(0x180D)) }
            #expect(service?.detail.contains("expected the service 180D") == true)
            let found = try await peripheral.service(ConformancePeer.service)
            let characteristic = #expect(throws: CentralError.self) { _ = try found.characteristic(BLEUUID(0x2A37)) }
            #expect(characteristic?.detail.contains("the service FF00 has FF01, FF02") == true)
        }
    }
}
