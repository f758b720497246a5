/// An eFuse that restricts what can be done with a chip. Its name is that of the chip's technical reference manual, as
/// espefuse shows it.
public struct SecurityFuse: Hashable, Sendable {
    /// What it restricts.
    public enum Effect: Hashable, Sendable {
        /// Only signed programs run.
        case secureBoot
        /// A key for signatures is no longer accepted.
        case revocation
        /// The flash is encrypted.
        case flashEncryption
        /// Debuggers are refused.
        case debugger
        /// The loader in ROM is restricted.
        case download
        /// How blocks are protected against bit errors.
        case coding
    }

    /// Its name.
    public let name: String
    /// What it restricts.
    public let effect: Effect
    /// Where it is.
    public let field: RegisterField
}

extension Chip {
    /// The eFuses that restrict the chip.
    public var securityFuses: [SecurityFuse] {
        let all =
            switch self {
            case .esp32: Self.esp32Fuses
            case .esp32c2: Self.esp32c2Fuses
            default: newerFuses
            }
        // The ESP32 can read the words of block 0 from 0 on; the others from word 1.
        let first: UInt32 = self == .esp32 ? 0 : 1
        return all.map { place in
            SecurityFuse(
                name: place.name, effect: place.effect,
                field: RegisterField(efuses.base + (place.word - first) * 4, place.bit, place.width))
        }
    }

    private struct Place {
        var name: String
        var effect: SecurityFuse.Effect
        var word: UInt32
        var bit: UInt32
        var width: UInt32

        init(_ name: String, _ effect: SecurityFuse.Effect, _ word: UInt32, _ bit: UInt32, width: UInt32 = 1) {
            (self.name, self.effect, self.word, self.bit, self.width) = (name, effect, word, bit, width)
        }
    }

    private static let esp32Fuses = [
        Place("ABS_DONE_0", .secureBoot, 6, 4), Place("ABS_DONE_1", .secureBoot, 6, 5),
        Place("FLASH_CRYPT_CNT", .flashEncryption, 0, 20, width: 7), Place("JTAG_DISABLE", .debugger, 6, 6),
        Place("UART_DOWNLOAD_DIS", .download, 0, 27), Place("CODING_SCHEME", .coding, 6, 0, width: 2),
    ]

    private static let esp32c2Fuses = [
        Place("SECURE_BOOT_EN", .secureBoot, 1, 21), Place("SPI_BOOT_CRYPT_CNT", .flashEncryption, 1, 7, width: 3),
        Place("DIS_PAD_JTAG", .debugger, 1, 4), Place("DIS_DOWNLOAD_MODE", .download, 1, 14),
        Place("ENABLE_SECURITY_DOWNLOAD", .download, 1, 16),
    ]

    /// Those of the chips with six key blocks.
    private var newerFuses: [Place] {
        let isC5 = self == .esp32c5
        let revoked: UInt32 = isC5 ? 19 : 21
        var result = [
            Place("SECURE_BOOT_EN", .secureBoot, 3, isC5 ? 25 : 20),
            Place("SECURE_BOOT_AGGRESSIVE_REVOKE", .revocation, 3, isC5 ? 26 : 21),
            Place("SPI_BOOT_CRYPT_CNT", .flashEncryption, 2, isC5 ? 16 : 18, width: 3),
            Place("DIS_DOWNLOAD_MODE", .download, 4, 0), Place("ENABLE_SECURITY_DOWNLOAD", .download, 4, 5),
        ]
        result += (0..<3).map { Place("SECURE_BOOT_KEY_REVOKE\($0)", .revocation, 2, revoked + $0) }
        guard self != .esp32s2 else {
            return result + [
                Place("HARD_DIS_JTAG", .debugger, 1, 18), Place("SOFT_DIS_JTAG", .debugger, 1, 17),
                Place("DIS_USB_DOWNLOAD_MODE", .download, 4, 4),
            ]
        }
        result += [
            Place("DIS_PAD_JTAG", .debugger, 1, 19), Place("SOFT_DIS_JTAG", .debugger, 1, 16, width: 3),
            self == .esp32s3 ? Place("DIS_USB_JTAG", .debugger, 3, 22) : Place("DIS_USB_JTAG", .debugger, 1, 9),
            Place("DIS_USB_SERIAL_JTAG_DOWNLOAD_MODE", .download, 4, 4),
        ]
        if self == .esp32s3 { result.append(Place("DIS_USB_OTG_DOWNLOAD_MODE", .download, 4, 31)) }
        if self == .esp32p4 { result.append(Place("DIS_USB_OTG_DOWNLOAD_MODE", .download, 3, 27)) }
        return result
    }
}

extension Chip {
    private static let keyPurposes = [
        "USER/EMPTY", "RESERVED", "XTS_AES_256_KEY_1", "XTS_AES_256_KEY_2", "XTS_AES_128_KEY", "HMAC_DOWN_ALL",
        "HMAC_DOWN_JTAG", "HMAC_DOWN_DIGITAL_SIGNATURE", "HMAC_UP", "SECURE_BOOT_DIGEST0", "SECURE_BOOT_DIGEST1",
        "SECURE_BOOT_DIGEST2",
    ]
    /// The purposes that some chips have beside, or instead of a reserved one.
    private static let laterKeyPurposes: [UInt32: String] = [
        1: "ECDSA_KEY", 12: "KM_INIT_KEY", 15: "XTS_AES_128_PSRAM_KEY", 16: "ECDSA_KEY_P192", 17: "ECDSA_KEY_P384_L",
        18: "ECDSA_KEY_P384_H",
    ]

    /// The name of a key block's purpose.
    public func keyPurposeName(_ code: UInt32) -> String {
        if [Chip.esp32c5, .esp32h2, .esp32p4].contains(self), let name = Self.laterKeyPurposes[code] { return name }
        return Int(code) < Self.keyPurposes.count ? Self.keyPurposes[Int(code)] : "unknown (\(code))"
    }
}
