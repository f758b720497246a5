/// The CRC-32 of NVS: `esp_rom_crc32_le` with the initial value 0xFFFFFFFF, for which its register starts as 0, where
/// zlib's starts as all ones.
enum NVSChecksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    static func of(_ parts: ArraySlice<UInt8>...) -> UInt32 {
        var register: UInt32 = 0
        for part in parts {
            for byte in part { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
        }
        return ~register
    }
}
