public import ESPChips

/// The identity of a board's chip: model, revision, MAC address in the eFuses, and flash id.
public struct ChipIdentity: Hashable, Sendable {
    /// The model.
    public var chip: Chip
    /// The revision: major × 100 + minor.
    public var revision: UInt32
    /// The MAC address in the eFuses: 6 bytes, most significant first.
    public var macAddress: [UInt8]
    /// The answer of the flash chip to READ ID (9F): manufacturer in the low byte, then type and capacity.
    public var flashID: UInt32
    /// The size of the flash chip, in bytes.
    public var flashSize: Int
    /// The crystal, in MHz.
    public var crystal: UInt32
    /// Whether the eFuses restrict the ROM loader to writing the flash ("secure download mode").
    public var hasSecureDownload = false
    /// The 32 bytes of the flash encryption key in the eFuses; `nil`: blank, which reads as zeros.
    public var flashEncryptionKey: [UInt8]?

    /// A chip with a locally administered MAC address, which no real chip has, and a flash like the W25Q.
    ///
    /// - Parameters:
    ///   - number: the low 32 bits of the MAC address.
    ///   - flashSize: a power of two, in bytes.
    public init(number: UInt32, flashSize: Int, chip: Chip = .esp32) {
        self.chip = chip
        revision = chip.commonRevision
        crystal = chip.crystal.usual
        macAddress = [0x02, 0xEB] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        let capacity = UInt32(flashSize.trailingZeroBitCount)
        flashID = capacity << 16 | 0x40 << 8 | 0xEF
        self.flashSize = flashSize
    }

    /// The words of the eFuses that are not 0.
    var efuseWords: [UInt32: UInt32] {
        var words: [UInt32: UInt32] = [:]
        let mac = Chip.macWords(macAddress)
        words[chip.macAddressRegister] = mac.low
        // FF:FE extends the address of chips with IEEE 802.15.4 to an EUI-64.
        words[chip.macAddressRegister + 4] = mac.high | (chip.hasEUI64 ? 0xFFFE_0000 : 0)
        chip.storeRevision(revision, in: &words)
        if chip == .esp32 { words[ESP32Clock.oscillatorFuse] = ESP32Clock.oscillatorCode }
        if flashEncryptionKey != nil {
            chip.efuses.keyPurposes.first?.store(EfuseMap.flashEncryptionKeyPurpose, in: &words)
        }
        return words
    }
}

extension Chip {
    fileprivate var hasEUI64: Bool { self == .esp32c5 || self == .esp32c6 || self == .esp32h2 }

    /// The revision of a virtual chip: one that is sold in numbers. Later ones differ for a loader in ways that no
    /// board here has.
    fileprivate var commonRevision: UInt32 {
        switch self {
        case .esp32: 300
        case .esp32s2, .esp32c5, .esp32p4: 100
        case .esp32c3: 4
        case .esp32s3, .esp32c6: 2
        case .esp32c2: 101
        default: 101
        }
    }
}
