/// Base64 (RFC 4648, section 4).
enum Base64 {
    private static let values: [UInt8: UInt32] = {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        return Dictionary(uniqueKeysWithValues: alphabet.utf8.enumerated().map { ($1, UInt32($0)) })
    }()

    /// The bytes of `text`; `nil` when it is not Base64. Line ends are skipped.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
        guard characters.count % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for character in characters {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = values[character] else { return nil }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
                count = 0
            }
        }
        switch (padding, count) {
        case (0, 0): break
        case (1, 3): result += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        case (2, 2): result.append(UInt8(bits >> 4 & 0xFF))
        default: return nil
        }
        return result
    }
}
