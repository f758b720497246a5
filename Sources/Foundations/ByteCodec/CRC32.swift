/// The CRC-32 of IEEE 802.3, with the reflected polynomial 0xEDB88320.
public enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    /// The checksum of the bytes of `parts`, in this order.
    ///
    /// - Parameter start: the register before the first byte: all ones in zlib; 0 in ESP-IDF's NVS, which calls
    ///   `esp_rom_crc32_le` with the initial value 0xFFFFFFFF.
    public static func of(_ parts: ArraySlice<UInt8>..., start: UInt32 = .max) -> UInt32 {
        var register = start
        for part in parts {
            for byte in part { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
        }
        return ~register
    }
}
