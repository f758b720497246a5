import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// Strengths of advertisements, as listeners have them.
@Suite struct StrengthTests {
    /// A peer that comes nearer and goes away again, as whoever allows duplicates hears it.
    @Test func aStrengthThatChangesOnTheAirIsFollowed() async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            let transport = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let addresses = (1...3).map { DeviceAddress(0x240A_C4C0_0000 + UInt64($0), .public) }
            var ports: [RadioPort] = []
            var peripherals: [BLEPeripheral] = []
            for address in addresses {
                let port = await radio.attach(address: address)
                let peripheral = try BLEPeripheral(
                    PeripheralDefinition(name: "Beacon", services: []), on: port, executor: executor)
                try await peripheral.start()
                ports.append(port)
                peripherals.append(peripheral)
            }
            await radio.setPath(RadioPath(pathLoss: 55), between: ports[0].id, and: transport.id)
            await radio.setPath(RadioPath(pathLoss: 40), between: ports[1].id, and: transport.id)
            await radio.setPath(RadioPath(pathLoss: 60), between: ports[2].id, and: transport.id)
            let central = Central(HCICentral(executor: executor, transport: transport), on: executor)
            try await central.powerOn()

            let peers = addresses.map { PeerID($0) }
            let all = try await central.sightings(ScanFilter(allowsDuplicates: true))
            let near = try await central.sightings(ScanFilter(minimumRSSI: -50, allowsDuplicates: true))
            let results = Mutex(SearchResults())
            let strengths = Mutex<[Int]>([])
            let listening = Task(executorPreference: executor) {
                for try await sighting in all {
                    results.withLock { $0.add(sighting) }
                    guard sighting.peer == peers[1] else { continue }
                    strengths.withLock { if $0.last != sighting.rssi { $0.append(sighting.rssi) } }
                }
            }
            let nearby = Mutex<Set<Int>>([])
            let listeningNearby = Task(executorPreference: executor) {
                for try await sighting in near { nearby.withLock { _ = $0.insert(sighting.rssi) } }
            }
            for (loss, order) in [(40, [1, 0, 2]), (70, [0, 2, 1]), (50, [1, 0, 2])] {
                await radio.setPath(RadioPath(pathLoss: loss), between: ports[1].id, and: transport.id)
                try await BenchClock(executor).sleep(for: .seconds(3))
                let nearest = results.withLock { $0.nearestFirst.map(\.id) }
                #expect(nearest == order.map { peers[$0] }, "at \(loss) dB")
            }
            listening.cancel()
            listeningNearby.cancel()
            // Sent with 3 dBm, less the loss of the path.
            #expect(strengths.withLock { $0 } == [-37, -67, -47])
            #expect(nearby.withLock { $0 } == [-37, -47])
            await central.close()
            for peripheral in peripherals { await peripheral.stop() }
        }
        executor.discardEvents()
    }

    /// An unknown strength is 127, which is not a strong one.
    @Test func anUnknownStrengthPassesNoMinimum() async throws {
        try await ClientWorld.run { world in
            let strong = try await world.central.sightings(ScanFilter(minimumRSSI: 0, allowsDuplicates: true))
            let all = try await world.central.sightings(ScanFilter(name: "Lamp", allowsDuplicates: true))
            let name = AdvertisingData.Structure(type: .completeLocalName, data: Array("Lamp".utf8))
            for (number, rssi) in [(1, 127), (2, -1), (3, 0), (4, 20)] as [(UInt64, Int)] {
                world.central.backend.events.post(
                    .advertisement(
                        Advertisement(
                            address: DeviceAddress(number, .public), data: AdvertisingData(structures: [name]),
                            rssi: rssi, isConnectable: true)))
            }
            let heard = try await first(2, of: strong)
            #expect(heard.map(\.rssi) == [0, 20])
            // Who asks for no minimum hears it, as unknown.
            var results = SearchResults()
            for sighting in try await first(4, of: all) { results.add(sighting) }
            #expect(results.nearestFirst.map(\.rssi) == [20, 0, -1, nil])
        }
    }
}
