public import BLECentral
import BLECore

/// What a search has found: each peer once, with what it advertised last.
public struct SearchResults: Sendable, Hashable {
    /// A peer.
    public struct Found: Sendable, Hashable, Identifiable {
        /// Which.
        public var id: PeerID
        /// Its name, from the newest advertisement that had one.
        public var name: String?
        /// Its strength in dBm; `nil` if it is not known.
        public var rssi: Int?
        /// Its newest advertisement.
        public var advertisement: Advertisement
        /// How often it was heard.
        public var count: Int
    }

    /// The most peers that are kept; of more, the weakest is dropped.
    public static let limit = 1000

    /// The peers, by identifier.
    public private(set) var peers: [PeerID: Found] = [:]

    /// Nothing yet.
    public init() {}

    /// Adds what was heard.
    public mutating func add(_ advertisement: Advertisement) {
        let former = peers[advertisement.peer]
        if former == nil, peers.count == Self.limit, let weakest = peers.values.max(by: Self.isNearer)?.id {
            peers[weakest] = nil
        }
        peers[advertisement.peer] = Found(
            id: advertisement.peer, name: advertisement.data.localName ?? former?.name, rssi: advertisement.knownRSSI,
            advertisement: advertisement, count: (former?.count ?? 0) + 1)
    }

    /// The peers, nearest first: the strongest, then the weaker ones, last those of unknown strength. Equally strong ones
    /// are in the order of their identifiers.
    public var nearestFirst: [Found] { peers.values.sorted(by: Self.isNearer) }

    private static func isNearer(_ one: Found, _ other: Found) -> Bool {
        let (left, right) = (one.rssi ?? .min, other.rssi ?? .min)
        return left != right ? left > right : "\(one.id)" < "\(other.id)"
    }

    /// The nearest peer of this name.
    public func nearest(named name: String) -> Found? { nearestFirst.first { $0.name == name } }
}
