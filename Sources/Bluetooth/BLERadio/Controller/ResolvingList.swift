import BLECore
import BLEPackets
import MonotonicTime

/// The identity of a peer.
struct PeerIdentity {
    /// The identity address if resolved, otherwise the address in the packet.
    var address: DeviceAddress
    /// The private address in the packet, if ``address`` was resolved from it.
    var privateAddress: DeviceAddress?

    var isResolved: Bool { privateAddress != nil }
}

/// The resolving list: peers whose private addresses a controller resolves, and for which it generates its own (Core
/// 5.4, Vol 6 Part B 6).
struct ResolvingList {
    /// One peer.
    struct Entry {
        let peer: DeviceAddress
        /// `nil`: the peer uses its identity address.
        let peerKey: IdentityResolvingKey?
        /// `nil`: this device uses its identity address for the peer.
        let localKey: IdentityResolvingKey?
        var mode = HCIPrivacyMode.network
        /// The peer's last private address.
        var lastAddress: DeviceAddress?
        /// This device's private address for the peer.
        var local: PrivateAddress?
        /// The private address by which this device addresses the peer.
        var target: PrivateAddress?
    }

    /// A generated address, and the time of its generation.
    struct PrivateAddress {
        var address: DeviceAddress
        var time: Int64
    }

    private(set) var entries: [Entry] = []
    var isEnabled = false
    /// The address time-out, in nanoseconds; 900 s (Core 5.4, Vol 4 Part E 7.8.45).
    var timeout: Int64 = 900_000 * AirTime.millisecond
    /// A cache of resolved addresses, with the index of the entry.
    private var known: [DeviceAddress: Int?] = [:]
    private static let knownCapacity = 256

    func entry(of peer: DeviceAddress) -> Entry? {
        entries.first { $0.peer == peer }
    }

    /// Whether another entry has the same identity address or the same peer IRK.
    func conflicts(_ entry: Entry) -> Bool {
        entries.contains { $0.peer == entry.peer || ($0.peerKey != nil && $0.peerKey == entry.peerKey) }
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        known.removeAll()
    }

    /// Returns whether the peer was in the list.
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

    /// Returns whether the peer is in the list.
    mutating func setMode(_ mode: HCIPrivacyMode, of peer: DeviceAddress) -> Bool {
        guard let index = index(of: peer) else { return false }
        entries[index].mode = mode
        return true
    }

    private func index(of peer: DeviceAddress) -> Int? {
        entries.firstIndex { $0.peer == peer }
    }

    // MARK: Resolving

    /// The identity of the device with `address`; `nil` if its packets must be ignored: in network privacy mode a peer
    /// with a key must not use its identity address.
    mutating func identify(_ address: DeviceAddress) -> PeerIdentity? {
        guard isEnabled, !entries.isEmpty else { return PeerIdentity(address: address) }
        if address.isResolvablePrivate {
            guard let index = resolve(address) else { return PeerIdentity(address: address) }
            entries[index].lastAddress = address
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

    /// Whether `address` is this device's private address, as used by `peer`.
    func isLocal(_ address: DeviceAddress, for peer: DeviceAddress) -> Bool {
        isEnabled && entry(of: peer)?.localKey?.made(address) == true
    }

    // MARK: Generating

    /// This device's private address for `peer`; `nil` without a local key.
    mutating func localAddress(for peer: DeviceAddress, now: Int64, _ random: inout SeededRandom) -> DeviceAddress? {
        guard let index = index(of: peer), let key = entries[index].localKey else { return nil }
        return renew(&entries[index].local, key, now, &random)
    }

    /// The private address by which this device addresses `peer`; `nil` without a peer key.
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
