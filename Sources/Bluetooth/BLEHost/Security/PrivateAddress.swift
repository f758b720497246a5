internal import BLECore

/// Resolvable private addresses (Core 5.4, Vol 6 Part B 1.3.2.2).
enum PrivateAddress {
    /// True if this key resolves the address; `irk`: 16 bytes, least significant first.
    static func matches(_ address: DeviceAddress, irk: [UInt8]) -> Bool {
        let prand = UInt32(truncatingIfNeeded: address.value >> 24)
        return SecurityToolbox.ah(irk: number(irk), prand: prand)
            == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
    }

    /// A private address for this key from a random number.
    static func make(irk: [UInt8], seed: UInt64) -> DeviceAddress {
        var prand = UInt32(truncatingIfNeeded: seed) & 0x3F_FFFF
        // Neither all zeros nor all ones.
        if prand == 0 || prand == 0x3F_FFFF { prand ^= 1 }
        prand |= 0x40_0000
        return DeviceAddress(UInt64(prand) << 24 | UInt64(SecurityToolbox.ah(irk: number(irk), prand: prand)), .random)
    }

    private static func number(_ irk: [UInt8]) -> UInt128 {
        irk.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }
}
