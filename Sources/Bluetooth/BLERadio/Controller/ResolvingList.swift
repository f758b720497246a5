import BLECore
import BLEPackets
import MonotonicTime

/// Who is behind an address.
struct PeerIdentity {
    /// The identity where it is known, otherwise the address on air.
    var address: DeviceAddress
    /// The private address on air, where ``address`` was resolved from it.
    var privateAddress: DeviceAddress?

    var isResolved: Bool { privateAddress != nil }
}

/// The peers whose private addresses a controller resolves, and makes its own for (Core 5.4, Vol 6 Part B 6).
struct ResolvingList {
    /// One peer.
    struct Entry {
        let peer: DeviceAddress
        /// `nil`: the peer uses its identity address.
        let peerKey: IdentityResolvingKey?
        /// `nil`: the own identity address is used for the peer.
        let localKey: IdentityResolvingKey?
        var mode = HCIPrivacyMode.network
        /// What the peer was heard with last.
        var seen: DeviceAddress?
        /// What this side uses for the peer.
        var local: PrivateAddress?
        /// What the peer is called by this side.
        var target: PrivateAddress?
    }

    /// An address that this side has made, and when.
    struct PrivateAddress {
        var address: DeviceAddress
        var time: Int64
    }

    private(set) var entries: [Entry] = []
    var isEnabled = false
    /// How long an address is used, in nanoseconds; 900 s (Core 5.4, Vol 4 Part E 7.8.45).
    var timeout: Int64 = 900_000 * AirTime.millisecond
    /// Addresses looked up before, with the number of the entry.
    private var known: [DeviceAddress: Int?] = [:]
    private static let knownCapacity = 256

    func entry(of peer: DeviceAddress) -> Entry? {
        entries.first { $0.peer == peer }
    }

    /// Whether another entry has the identity or, as a key tells who it is, the peer's key.
    func conflicts(_ entry: Entry) -> Bool {
        entries.contains { $0.peer == entry.peer || ($0.peerKey != nil && $0.peerKey == entry.peerKey) }
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        known.removeAll()
    }

    /// Whether there was such a peer.
    mutating func remove(_ peer: DeviceAddress) -> Bool {
        guard let index = index(of: peer) else { return false }
        entries.remove(at: index)
        known.removeAll()
        return true
    }

    mutating func removeAll() {
        entries.removeAll()
        known.removeAll()
    }

    /// Whether there is such a peer.
    mutating func setMode(_ mode: HCIPrivacyMode, of peer: DeviceAddress) -> Bool {
        guard let index = index(of: peer) else { return false }
        entries[index].mode = mode
        return true
    }

    private func index(of peer: DeviceAddress) -> Int? {
        entries.firstIndex { $0.peer == peer }
    }

    // MARK: Resolving

    /// Who sends as `address`; `nil` where that may not be listened to: in network privacy mode a peer with a key must
    /// not use its identity address.
    mutating func identify(_ address: DeviceAddress) -> PeerIdentity? {
        guard isEnabled, !entries.isEmpty else { return PeerIdentity(address: address) }
        if address.isResolvablePrivate {
            guard let index = resolve(address) else { return PeerIdentity(address: address) }
            entries[index].seen = address
            return PeerIdentity(address: entries[index].peer, privateAddress: address)
        }
        if let entry = entry(of: address), entry.peerKey != nil, entry.mode == .network { return nil }
        return PeerIdentity(address: address)
    }

    private mutating func resolve(_ address: DeviceAddress) -> Int? {
        if let index = known[address] { return index }
        let index = entries.firstIndex { $0.peerKey?.made(address) == true }
        if known.count >= Self.knownCapacity { known.removeAll(keepingCapacity: true) }
        known[address] = .some(index)
        return index
    }

    /// Whether `address` is this side's, as `peer` may call it.
    func isLocal(_ address: DeviceAddress, for peer: DeviceAddress) -> Bool {
        isEnabled && entry(of: peer)?.localKey?.made(address) == true
    }

    // MARK: Making

    /// This side's private address for `peer`, or `nil` where there is no key for it.
    mutating func localAddress(for peer: DeviceAddress, now: Int64, _ random: inout SeededRandom) -> DeviceAddress? {
        guard let index = index(of: peer), let key = entries[index].localKey else { return nil }
        return renew(&entries[index].local, key, now, &random)
    }

    /// The private address by which this side calls `peer`, or `nil` where there is no key for it.
    mutating func targetAddress(for peer: DeviceAddress, now: Int64, _ random: inout SeededRandom) -> DeviceAddress? {
        guard let index = index(of: peer), let key = entries[index].peerKey else { return nil }
        return renew(&entries[index].target, key, now, &random)
    }

    private func renew(
        _ made: inout PrivateAddress?, _ key: IdentityResolvingKey, _ now: Int64, _ random: inout SeededRandom
    ) -> DeviceAddress {
        if let made, now - made.time < timeout { return made.address }
        let address = key.address(random: UInt32(truncatingIfNeeded: random.next()))
        made = PrivateAddress(address: address, time: now)
        return address
    }
}
