public import ESPChips

/// How the ROM accesses the flash: bytes 2 and 3 of an image ("Firmware Image Format", esptool documentation).
public struct FlashSettings: Hashable, Sendable {
    /// Byte 2: QIO 0, QOUT 1, DIO 2, DOUT 3.
    public var mode: UInt8
    /// The low half of byte 3: for most chips 40 MHz 0, 26 MHz 1, 20 MHz 2, 80 MHz 15.
    public var frequencyCode: UInt8
    /// The high half of byte 3: log2 of the size in megabytes.
    public var sizeCode: UInt8

    /// Settings with the header's codes; each uses 4 bits.
    public init(mode: UInt8, frequencyCode: UInt8, sizeCode: UInt8) {
        self.mode = mode
        self.frequencyCode = frequencyCode & 15
        self.sizeCode = sizeCode & 15
    }

    /// DIO at the highest frequency of `chip`, for a flash of 4 MB: the default of Arduino's boards.
    public static func dio4MB(for chip: Chip) -> FlashSettings {
        FlashSettings(mode: 2, frequencyCode: chip.flashFrequencies.first?.code ?? 15, sizeCode: 2)
    }

    /// What esptool's `elf2image` puts into an image unless it is told: QIO, the frequency with code 0, 1 MB.
    public static let elf2image = FlashSettings(mode: 0, frequencyCode: 0, sizeCode: 0)

    /// The size of the flash, in bytes.
    public var size: UInt64 { (1 << 20) << UInt64(sizeCode) }

    init(mode: UInt8, sizeAndFrequency: UInt8) {
        self.init(mode: mode, frequencyCode: sizeAndFrequency & 15, sizeCode: sizeAndFrequency >> 4)
    }

    var sizeAndFrequency: UInt8 { sizeCode << 4 | frequencyCode }
}
