import BLECore

/// A key that generates and resolves private addresses (Core 5.4, Vol 6 Part B 1.3.2.2).
struct IdentityResolvingKey: Equatable {
    /// Most significant byte first.
    private let bytes: [UInt8]

    /// From HCI's order, least significant byte first; all zeros are no key.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes.reversed()
    }

    /// The address for a random part: 22 bits of `random`, neither all 0 nor all 1.
    func address(random: UInt32) -> DeviceAddress {
        let part = min(max(random & 0x3F_FFFF, 1), 0x3F_FFFE) | 0x40_0000
        return DeviceAddress(UInt64(part) << 24 | UInt64(hash(part)), .random)
    }

    /// Whether this key resolves a private address.
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
