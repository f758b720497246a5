import BLECore
internal import BLEPackets
internal import MonotonicTime

/// The identity of a peer.
struct PeerIdentity {
    /// The identity address if resolved, otherwise the address in the packet.
    var address: DeviceAddress
    /// The private address in the packet, if ``address`` was resolved from it.
    var privateAddress: DeviceAddress?

    var isResolved: Bool { privateAddress != nil }
}

/// The resolving list: peers whose private addresses a controller resolves, and for which it generates its own private
/// addresses (Core 5.4, Vol 6 Part B 6).
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

    /// True if another entry has the same identity address or the same peer IRK.
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

    /// True if `address` is this device's private address, as used by `peer`.
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

extension CommandEntry {
    /// Resolving list commands (Core 5.4, Vol 4 Part E 7.8.38 to 7.8.45, 7.8.77).
    static let privacyCommands: [CommandEntry] = [
        .simple(34, 3) { (_, controller, command: HCILEAddDeviceToResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            let entry = ResolvingList.Entry(
                peer: command.peer, peerKey: IdentityResolvingKey(command.peerIRK),
                localKey: IdentityResolvingKey(command.localIRK))
            if controller.host.resolvingList.conflicts(entry) { return .invalidHCICommandParameters }
            guard controller.host.resolvingList.entries.count < controller.personality.resolvingListSize else {
                return .memoryCapacityExceeded
            }
            controller.host.resolvingList.add(entry)
            return .success
        },
        .simple(34, 4) { (_, controller, command: HCILERemoveDeviceFromResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            return controller.host.resolvingList.remove(command.peer) ? .success : .unknownConnectionIdentifier
        },
        .simple(34, 5) { (_, controller, _: HCILEClearResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            controller.host.resolvingList.removeAll()
            return .success
        },
        .complete(34, 6) { (_, controller, _: HCILEReadResolvingListSize) in
            .init(status: .success, size: UInt8(controller.personality.resolvingListSize))
        },
        .complete(34, 7) { (_, controller, command: HCILEReadPeerResolvableAddress) in
            let entry = controller.host.resolvingList.entry(of: command.peer)
            return .init(
                status: entry == nil ? .unknownConnectionIdentifier : .success,
                address: entry?.lastAddress ?? entry?.target?.address ?? DeviceAddress(0, .random))
        },
        .complete(35, 0) { (_, controller, command: HCILEReadLocalResolvableAddress) in
            let entry = controller.host.resolvingList.entry(of: command.peer)
            return .init(
                status: entry == nil ? .unknownConnectionIdentifier : .success,
                address: entry?.local?.address ?? DeviceAddress(0, .random))
        },
        .simple(35, 1) { (_, controller, command: HCILESetAddressResolutionEnable) in
            guard !controller.isUsingAddresses else { return .commandDisallowed }
            controller.host.resolvingList.isEnabled = command.isEnabled
            return .success
        },
        .simple(35, 2) { (_, controller, command: HCILESetResolvablePrivateAddressTimeout) in
            // 11.5 hours in 4.2 and 5.0 (Vol 2 Part E 7.8.45 of both), one hour in newer versions.
            let maximum: UInt16 = controller.personality.hciVersion <= 9 ? 0xA1B8 : 0x0E10
            guard 1...maximum ~= command.timeout else { return .invalidHCICommandParameters }
            controller.host.resolvingList.timeout = Int64(command.timeout) * 1000 * AirTime.millisecond
            return .success
        },
        .simple(39, 2) { (_, controller, command: HCILESetPrivacyMode) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            guard command.mode == .network || command.mode == .device else { return .invalidHCICommandParameters }
            return controller.host.resolvingList.setMode(command.mode, of: command.peer)
                ? .success : .unknownConnectionIdentifier
        }
        .requiring(LEFeature.privacy, version: 9),
    ]
}

extension Controller {
    /// True if advertising, scanning or initiating uses the resolving list.
    var isUsingAddresses: Bool {
        host.advertisers.contains { $0.isEnabled } || host.scanner.isEnabled || host.initiator != nil
    }

    fileprivate var mayChangeResolvingList: Bool { !host.resolvingList.isEnabled || !isUsingAddresses }
}

/// A key that generates and resolves private addresses (Core 5.4, Vol 6 Part B 1.3.2.2).
struct IdentityResolvingKey: Equatable {
    /// Most significant byte first.
    private let bytes: [UInt8]

    /// From HCI's order, least significant byte first; `nil` if all bytes are zero, which means no key.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes.reversed()
    }

    /// The address for a random part: 22 bits of `random`, neither all 0 nor all 1.
    func address(random: UInt32) -> DeviceAddress {
        let part = min(max(random & 0x3F_FFFF, 1), 0x3F_FFFE) | 0x40_0000
        return DeviceAddress(UInt64(part) << 24 | UInt64(hash(part)), .random)
    }

    /// True if this key resolves a private address.
    func made(_ address: DeviceAddress) -> Bool {
        guard address.isResolvablePrivate else { return false }
        return hash(UInt32(truncatingIfNeeded: address.value >> 24)) == UInt32(address.value & 0xFF_FFFF)
    }

    /// The function ah (Core 5.4, Vol 3 Part H 2.2.2).
    private func hash(_ random: UInt32) -> UInt32 {
        var block = [UInt8](repeating: 0, count: 16)
        for index in 0..<3 { block[13 + index] = UInt8(truncatingIfNeeded: random >> (16 - 8 * UInt32(index))) }
        BlockCipher.encrypt(&block, key: bytes)
        return block[13...].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The address that a controller uses.
struct OwnAddress {
    var address: DeviceAddress
    /// True if the controller generated it as a private address for the peer.
    var isPrivate: Bool
}

extension Controller {
    /// The own address of `type` for `peer`; `nil` if a random address is required but not set. A private address needs
    /// a key for the peer: without a key the public or random address is used (Core 5.4, Vol 4 Part E 7.8.5).
    ///
    /// - Parameter random: the random address in use: each advertising set has its own.
    func ownAddress(
        _ type: HCIOwnAddressType, for peer: DeviceAddress, random randomAddress: DeviceAddress?, now: Int64
    ) -> OwnAddress? {
        if type.rawValue >= 2, let made = host.resolvingList.localAddress(for: peer, now: now, &random) {
            return OwnAddress(address: made, isPrivate: true)
        }
        return identityAddress(type, random: randomAddress).map { OwnAddress(address: $0, isPrivate: false) }
    }

    /// The public or random address that `type` falls back to.
    func identityAddress(_ type: HCIOwnAddressType, random: DeviceAddress?) -> DeviceAddress? {
        type.rawValue & 1 == 0 ? address : random
    }

    /// True if the own address of `type` is available, for `peer` or in general.
    func hasAddress(_ type: HCIOwnAddressType, for peer: DeviceAddress?, random: DeviceAddress?) -> Bool {
        if type.rawValue >= 2, let peer, host.resolvingList.entry(of: peer)?.localKey != nil { return true }
        return identityAddress(type, random: random) != nil
    }

    /// The identity of the device with `address`; `nil` if its packets must be ignored.
    func identify(_ address: DeviceAddress) -> PeerIdentity? {
        host.resolvingList.identify(address)
    }

    /// True if `target`, as used by `peer`, is the own address of `type`.
    func isCalled(_ target: DeviceAddress, by peer: DeviceAddress, _ type: HCIOwnAddressType) -> Bool {
        target == identityAddress(type, random: host.randomAddress)
            || (type.rawValue >= 2 && host.resolvingList.isLocal(target, for: peer))
    }
}
