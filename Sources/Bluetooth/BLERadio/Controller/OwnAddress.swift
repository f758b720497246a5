import BLECore
import BLEPackets

/// The address that a controller uses.
struct OwnAddress {
    var address: DeviceAddress
    /// Whether the controller generated it as a private address for the peer.
    var isPrivate: Bool
}

extension Controller {
    /// The own address of `type` for `peer`; `nil` if it is random and none was set. A private address needs a key for
    /// the peer: without it the public or random one is used (Core 5.4, Vol 4 Part E 7.8.5).
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

    /// Whether the own address of `type` is available, for `peer` or in general.
    func hasAddress(_ type: HCIOwnAddressType, for peer: DeviceAddress?, random: DeviceAddress?) -> Bool {
        if type.rawValue >= 2, let peer, host.resolvingList.entry(of: peer)?.localKey != nil { return true }
        return identityAddress(type, random: random) != nil
    }

    /// The identity of the device with `address`; `nil` if its packets must be ignored.
    func identify(_ address: DeviceAddress) -> PeerIdentity? {
        host.resolvingList.identify(address)
    }

    /// Whether `target`, as used by `peer`, is the own address of `type`.
    func isCalled(_ target: DeviceAddress, by peer: DeviceAddress, _ type: HCIOwnAddressType) -> Bool {
        target == identityAddress(type, random: host.randomAddress)
            || (type.rawValue >= 2 && host.resolvingList.isLocal(target, for: peer))
    }
}
