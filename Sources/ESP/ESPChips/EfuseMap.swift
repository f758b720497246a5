/// The positions of the eFuses that a flasher reads. A field that the chip lacks is `nil`.
public struct EfuseMap: Hashable, Sendable {
    /// The first readable word of block 0: the base of numbered eFuse words.
    public let base: UInt32
    /// The major number of the revision; on the ESP32 only two of its bits, see ``Chip/majorRevision(in:)``.
    public let majorRevision: RegisterField
    /// The minor number of the revision.
    public let minorRevision: RegisterField
    /// The package, which identifies the product.
    public let package: RegisterField
    /// The code of the size of the flash in the package; 0: none.
    public let flashCapacity: RegisterField?
    /// The code of the size of the PSRAM in the package; 0: none.
    public let psramCapacity: RegisterField?
    /// The counter of flash encryption: with an odd number of bits set, the flash is encrypted.
    public let flashEncryptionCount: RegisterField
    /// The fuse that makes the loader refuse to encrypt written data.
    public let encryptedDownloadDisabled: RegisterField
    /// The fuse that enables secure boot.
    public let secureBoot: RegisterField
    /// The purposes of the key blocks, from key 0 on; empty where keys have fixed purposes.
    public let keyPurposes: [RegisterField]

    /// The purpose of a key block: the AES-128 key of flash encryption.
    public static let flashEncryptionKeyPurpose: UInt32 = 4

    init(
        base: UInt32, major: RegisterField, minor: RegisterField, package: RegisterField, flash: RegisterField? = nil,
        psram: RegisterField? = nil, encryptionCount: RegisterField, encryptedDownloadDisabled: RegisterField,
        secureBoot: RegisterField, keyPurposes: [RegisterField] = []
    ) {
        self.base = base
        majorRevision = major
        minorRevision = minor
        self.package = package
        flashCapacity = flash
        psramCapacity = psram
        flashEncryptionCount = encryptionCount
        self.encryptedDownloadDisabled = encryptedDownloadDisabled
        self.secureBoot = secureBoot
        self.keyPurposes = keyPurposes
    }

    /// The map of a chip with its eFuse controller at `controller` and the ESP32-S3's layout of block 0: the second
    /// word contains the purposes of keys 0 and 1, the third word those of the other keys.
    ///
    /// - Parameter purposeShift: the first bit of key 0's purpose.
    init(
        controller: UInt32, major: RegisterField, minor: RegisterField, package: RegisterField,
        flash: RegisterField? = nil, psram: RegisterField? = nil, countShift: UInt32 = 18,
        encryptedDownloadShift: UInt32 = 20, secureBootShift: UInt32 = 20, purposeShift: UInt32 = 24,
        purposeWidth: UInt32 = 4
    ) {
        let (word1, word2) = (controller + 0x34, controller + 0x38)
        self.init(
            base: controller + 0x30, major: major, minor: minor, package: package, flash: flash, psram: psram,
            encryptionCount: RegisterField(word1, countShift, 3),
            encryptedDownloadDisabled: RegisterField(controller + 0x30, encryptedDownloadShift, 1),
            secureBoot: RegisterField(word2, secureBootShift, 1),
            keyPurposes: (0..<2).map { RegisterField(word1, purposeShift + $0 * purposeWidth, purposeWidth) }
                + (0..<4).map { RegisterField(word2, $0 * purposeWidth, purposeWidth) })
    }
}

/// MAC address and revision in a chip's eFuses.
extension Chip {
    /// The register with the third bit of the ESP32's major revision.
    private static let esp32SystemDate = RegisterField(0x3FF6_607C, 31, 1)
    /// The ESP32's codes of major revisions 0 to 3.
    private static let esp32MajorCodes: [UInt32] = [0, 1, 3, 7]

    private var majorField: RegisterField {
        let date = Self.esp32SystemDate.pieces[0]
        return self == .esp32 ? efuses.majorRevision.and(date.address, date.shift, date.width) : efuses.majorRevision
    }

    /// The words that ``revision(in:)`` needs.
    public var revisionAddresses: [UInt32] {
        Array(Set(majorField.addresses + efuses.minorRevision.addresses)).sorted()
    }

    /// The revision as major × 100 + minor, from `words` keyed by address.
    public func revision(in words: [UInt32: UInt32]) -> UInt32 {
        majorRevision(in: words) * 100 + efuses.minorRevision.value(in: words)
    }

    /// The major number of the revision, from `words` keyed by address.
    public func majorRevision(in words: [UInt32: UInt32]) -> UInt32 {
        let code = majorField.value(in: words)
        guard self == .esp32 else { return code }
        // An unassigned code reads as revision 0.
        return UInt32(Self.esp32MajorCodes.firstIndex(of: code) ?? 0)
    }

    /// Sets the revision, major × 100 + minor, in `words`; the reverse of ``revision(in:)``.
    public func storeRevision(_ revision: UInt32, in words: inout [UInt32: UInt32]) {
        let major = Int(revision / 100)
        let codes = Self.esp32MajorCodes
        majorField.store(self == .esp32 ? codes[min(major, codes.count - 1)] : UInt32(major), in: &words)
        efuses.minorRevision.store(revision % 100, in: &words)
    }

    /// The MAC address that the two words at ``macAddressRegister`` hold, most significant byte first.
    public static func macAddress(low: UInt32, high: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: high >> 8), UInt8(truncatingIfNeeded: high),
            UInt8(truncatingIfNeeded: low >> 24), UInt8(truncatingIfNeeded: low >> 16),
            UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low),
        ]
    }

    /// The two words that contain `macAddress`, six bytes; the reverse of ``macAddress(low:high:)``.
    public static func macWords(_ macAddress: [UInt8]) -> (low: UInt32, high: UInt32) {
        let number = macAddress.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
    }
}

/// An eFuse that restricts what can be done with a chip. Its name is that of the chip's technical reference manual, as
/// espefuse shows it.
public struct SecurityFuse: Hashable, Sendable {
    /// The restriction that a fuse sets.
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
        /// The coding scheme that protects blocks against bit errors.
        case coding
    }

    /// Its name.
    public let name: String
    /// The restriction that the fuse sets.
    public let effect: Effect
    /// The position of the fuse.
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
        // The first readable word of block 0 is word 0 on the ESP32, word 1 on the other chips.
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

    /// The fuses of the chips with six key blocks.
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
    /// Key purposes that only some chips have; code 1 is reserved on the others.
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
