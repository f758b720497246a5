internal import BLECentral
internal import BLEClients
internal import BLECore
import LivePage
import MonotonicTime

/// Peers that are heard, as a page shows them.
struct PeerList {
    /// The most peers that are shown.
    private static let limit = 100

    private let names: GATTNames
    private var results = SearchResults()
    private var times: [PeerID: MonotonicInstant] = [:]
    /// Whether somebody was heard since it was asked last.
    private var isChanged = true
    private var shown: [AirState.Peer] = []

    /// Nobody yet.
    init(_ names: GATTNames) { self.names = names }

    /// Adds what was heard.
    mutating func add(_ advertisement: Advertisement, at time: MonotonicInstant) {
        results.add(advertisement)
        if times.count >= 2 * SearchResults.limit { times = times.filter { results.peers[$0.key] != nil } }
        times[advertisement.peer] = time
        isChanged = true
    }

    /// The peer with this identifier.
    func peer(_ id: String) -> PeerID? { results.peers.keys.first { "\($0)" == id } }

    /// The peer's name.
    func name(of peer: PeerID) -> String? { results.peers[peer]?.name }

    /// Those that were heard since an instant, nearest first.
    mutating func nearestFirst(since oldest: MonotonicInstant) -> [AirState.Peer] {
        if isChanged {
            isChanged = false
            shown = results.nearestFirst.prefix(Self.limit).map(view)
        }
        return shown.filter { $0.time >= Double(oldest.nanoseconds / 1_000_000) }
    }

    private func view(_ found: SearchResults.Found) -> AirState.Peer {
        AirState.Peer(
            id: "\(found.id)", name: found.name, rssi: found.rssi,
            color: SignalColor(rssi: found.rssi).hexadecimal,
            services: found.advertisement.data.serviceUUIDs.map { names.service($0) ?? "\($0)" },
            count: found.count, time: Double((times[found.id] ?? .zero).nanoseconds / 1_000_000))
    }
}
