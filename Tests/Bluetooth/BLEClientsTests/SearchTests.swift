import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import CentralConformance
import MonotonicTime
import Testing

/// Searches and their results.
@Suite struct SearchTests {
    @Test func aSearchEndsAfterItsRounds() async throws {
        try await ClientWorld.run { world in
            let start = world.executor.now
            var rounds: [(Int, Int)] = []
            let search = TimedSearch(duration: .seconds(2), repetition: .times(3), pause: .seconds(1))
            for try await update in search.run(on: world.central) {
                if case .roundEnded(let number, let found) = update { rounds.append((number, found.peers.count)) }
            }
            #expect(rounds.map(\.0) == [1, 2, 3])
            #expect(rounds.map(\.1) == [3, 3, 3])
            #expect(start.duration(to: world.executor.now) >= .seconds(8))
            #expect(start.duration(to: world.executor.now) < .milliseconds(8100))
        }
    }

    @Test func aSearchForEverEndsWithItsListener() async throws {
        try await ClientWorld.run { world in
            var rounds = 0
            for try await update in TimedSearch(duration: .seconds(1), repetition: .forever).run(on: world.central) {
                if case .roundEnded = update { rounds += 1 }
                if rounds == 5 { break }
            }
            try await world.sleep(.seconds(2))
            let time = await world.central.knownPeers.values.map(\.time).max()
            try await world.sleep(.seconds(10))
            #expect(await world.central.knownPeers.values.map(\.time).max() == time)
        }
    }

    @Test func aSearchThatFindsNobodyIsToldSo() async throws {
        try await ClientWorld.run { world in
            let search = TimedSearch(ScanFilter(name: "nobody"), duration: .seconds(2))
            let updates = try await first(9, of: search.run(on: world.central))
            #expect(updates == [.roundEnded(1, SearchResults())])
        }
    }

    private func heard(_ number: UInt64, _ rssi: Int, _ name: String? = nil) -> Advertisement {
        let structures = name.map {
            [AdvertisingData.Structure(type: .completeLocalName, data: Array($0.utf8))]
        }
        return Advertisement(
            address: DeviceAddress(number, .public), data: AdvertisingData(structures: structures ?? []), rssi: rssi,
            isConnectable: true)
    }

    @Test func theNearestComesFirstAndTheUnknownLast() {
        var results = SearchResults()
        for advertisement in [
            heard(1, -80), heard(2, 127), heard(3, -40, "tag"), heard(4, -127), heard(5, -80), heard(6, 0),
        ] {
            results.add(advertisement)
        }
        #expect(results.nearestFirst.map { $0.id.address?.value } == [6, 3, 1, 5, 4, 2])
        #expect(results.nearestFirst.map(\.rssi) == [0, -40, -80, -80, -127, nil])
        // The newest strength counts; a name that was heard stays.
        results.add(heard(3, -100))
        #expect(results.nearest(named: "tag")?.rssi == -100)
        #expect(results.peers[PeerID(DeviceAddress(3, .public))]?.count == 2)
        #expect(results.nearestFirst.map { $0.id.address?.value } == [6, 1, 5, 3, 4, 2])
    }

    @Test func theWeakestOfTooManyAreDropped() {
        var results = SearchResults()
        for number in 0..<(2 * SearchResults.limit) { results.add(heard(UInt64(number), -127 + number % 100)) }
        #expect(results.peers.count == SearchResults.limit)
        #expect(results.nearestFirst.first?.rssi == -28)
        #expect(results.peers[PeerID(DeviceAddress(99, .public))] != nil)
    }

    @Test func strengthsHaveColours() {
        #expect(SignalColor(rssi: -127).hexadecimal == "#FF0000")
        #expect(SignalColor(rssi: -20).hexadecimal == "#00FF00")
        #expect(SignalColor(rssi: -74).hexadecimal == "#FFFC00")
        #expect(SignalColor(rssi: -73).hexadecimal == "#FCFF00")
        #expect(SignalColor(rssi: -200) == SignalColor(rssi: -127))
        #expect(SignalColor(rssi: 20) == SignalColor(rssi: -20))
        #expect(SignalColor(rssi: nil).hexadecimal == "#808080")
    }
}
