import BLECentral
import BLEClients
import BLECore
import MonotonicTime

extension ClientConformance {
    static let searchCases = [
        Case("a search ends after its rounds, with its peers nearest first and by name") { suite in
            let search = TimedSearch(
                ScanFilter(services: [ConformancePeer.service], allowsDuplicates: true), duration: .seconds(2),
                repetition: .times(2))
            var rounds: [(number: Int, found: SearchResults)] = []
            for try await update in search.run(on: suite.central) {
                if case .roundEnded(let number, let found) = update { rounds.append((number, found)) }
            }
            try suite.expect(rounds.map(\.number) == [1, 2], "rounds 1 and 2, got \(rounds.map(\.number))")
            let peers = ConformancePeer.addresses.map { PeerID($0) }
            // Linux before 6.10 drops an advertisement that arrives when it has just begun to scan, and the controller
            // reports each peer once per scan: a round may lack a peer. `SearchTests` expects all of them in each round.
            var missed: Set<PeerID> = Set(peers)
            for (number, found) in rounds {
                missed.subtract(found.nearestFirst.map(\.id))
                let wanted = peers.filter(found.nearestFirst.map(\.id).contains)
                let order = found.nearestFirst.map { "\($0.id) \($0.rssi.map { "\($0)" } ?? "?") dBm" }
                try suite.expect(found.nearestFirst.map(\.id) == wanted, "\(peers) in round \(number), got \(order)")
                let named = found.nearest(named: ConformancePeer.name(2))?.id
                try suite.expect(
                    named == (wanted.contains(peers[2]) ? peers[2] : nil),
                    "the third by its name, got \(named.map { "\($0)" } ?? "none")")
            }
            try suite.expect(missed.isEmpty, "every peer in one of the rounds, never got \(missed)")
        },
        Case("a search for nobody ends, with nobody") { suite in
            var updates: [TimedSearch.Update] = []
            let search = TimedSearch(ScanFilter(name: "nobody"), duration: .seconds(1))
            for try await update in search.run(on: suite.central) { updates.append(update) }
            try suite.expect(updates == [.roundEnded(1, SearchResults())], "one empty round, got \(updates)")
        },
    ]
}
