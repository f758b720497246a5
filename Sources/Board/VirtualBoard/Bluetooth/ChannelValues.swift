import BLECore
import BLEHost
internal import CFirmwareChannel

/// The bytes of a structure of the channel.
func withBytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
}

extension cfc_address {
    init(_ address: DeviceAddress) {
        self.init()
        type = address.kind.rawValue
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: address.littleEndianBytes) }
    }
}

extension DeviceAddress {
    init(_ address: cfc_address) {
        let value = withUnsafeBytes(of: address.bytes) { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(value, Kind(rawValue: address.type) ?? .public)
    }
}

extension cfc_connection {
    init(_ info: ConnectionInfo, _ link: LinkSecurity, mtu: Int?) {
        self.init()
        handle = info.handle
        interval = info.interval
        latency = info.latency
        timeout = info.supervisionTimeout
        self.mtu = UInt16(mtu ?? GATTClient.defaultMTU)
        security = UInt8(
            (link.isEncrypted ? CFC_LINK_ENCRYPTED : 0)
                | (link.isAuthenticated ? CFC_LINK_AUTHENTICATED : 0)
                | (link.isBonded ? CFC_LINK_BONDED : 0))
        key_size = UInt8(truncatingIfNeeded: link.keySize)
        peer_over_the_air = cfc_address(info.peer)
        peer_identity = cfc_address(info.identity)
    }
}

extension cfc_bonds {
    /// The peers of these bonds, up to the capacity of the structure.
    init(_ bonds: [Bond]) {
        self.init()
        withUnsafeMutableBytes(of: &peers) { target in
            let places = target.bindMemory(to: cfc_address.self)
            for (place, bond) in zip(places.indices, bonds) { places[place] = cfc_address(bond.peer) }
        }
        count = UInt32(min(bonds.count, Int(CFC_MAXIMUM_BONDS)))
    }
}

extension cfc_record {
    init(_ subscription: StoredSubscription) {
        self.init()
        peer = cfc_address(subscription.peer)
        handle = subscription.valueHandle
        value = subscription.flags
        has_changed = subscription.hasChanged ? 1 : 0
    }

    init(_ features: StoredFeatures) {
        self.init()
        peer = cfc_address(features.peer)
        value = UInt16(features.features)
    }
}
