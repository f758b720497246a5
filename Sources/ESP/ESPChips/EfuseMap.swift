/// Where a chip's eFuses hold what a flasher asks for. A field that the chip does not have is `nil`.
public struct EfuseMap: Hashable, Sendable {
    /// The first readable word of block 0: the base of numbered eFuse words.
    public let base: UInt32
    /// The major number of the revision; on the ESP32 only two of its bits, see ``Chip/majorRevision(in:)``.
    public let majorRevision: RegisterField
    /// The minor number of the revision.
    public let minorRevision: RegisterField
    /// Which package, that is, which product of the chip.
    public let package: RegisterField
    /// The code of the size of the flash in the package; 0: none.
    public let flashCapacity: RegisterField?
    /// The code of the size of the PSRAM in the package; 0: none.
    public let psramCapacity: RegisterField?
    /// The counter of flash encryption: with an odd number of bits set, the flash is encrypted.
    public let flashEncryptionCount: RegisterField
    /// Whether the loader refuses to encrypt what it writes.
    public let encryptedDownloadDisabled: RegisterField
    /// Whether secure boot is on.
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

    /// The map of a chip whose controller is at `controller` and whose block 0 is laid out as the ESP32-S3's: keys 0
    /// and 1 have their purposes in the second word, the others in the third.
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
