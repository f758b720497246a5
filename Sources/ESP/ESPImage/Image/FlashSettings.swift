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

    /// The defaults of esptool's `elf2image`: QIO, the frequency with code 0, 1 MB.
    public static let elf2image = FlashSettings(mode: 0, frequencyCode: 0, sizeCode: 0)

    /// The size of the flash, in bytes.
    public var size: UInt64 { (1 << 20) << UInt64(sizeCode) }

    init(mode: UInt8, sizeAndFrequency: UInt8) {
        self.init(mode: mode, frequencyCode: sizeAndFrequency & 15, sizeCode: sizeAndFrequency >> 4)
    }

    var sizeAndFrequency: UInt8 { sizeCode << 4 | frequencyCode }
}

/// The names that esptool and ESP-IDF use for ``FlashSettings``.
extension FlashSettings {
    /// The modes by code.
    public static let modeNames = ["qio", "qout", "dio", "dout"]
    /// The sizes by code.
    public static let sizeNames = ["1MB", "2MB", "4MB", "8MB", "16MB", "32MB", "64MB", "128MB"]

    /// The frequencies of `chip` by name, fastest first.
    ///
    /// The ROM of the ESP32-C6 misreads 80 MHz: headers of its images state 40 MHz, and ESP-IDF's bootloader sets the
    /// real frequency.
    public static func frequencies(of chip: Chip) -> [(name: String, code: UInt8)] {
        chip.flashFrequencies.map { ("\($0.megahertz)m", $0.code) }
    }

    /// The name of the mode, or its code.
    public var modeName: String {
        Int(mode) < Self.modeNames.count ? Self.modeNames[Int(mode)] : "unknown (\(mode))"
    }

    /// The name of the size, or its code.
    public var sizeName: String {
        Int(sizeCode) < Self.sizeNames.count ? Self.sizeNames[Int(sizeCode)] : "unknown (\(sizeCode))"
    }

    /// The name of the frequency on `chip`, or its code.
    public func frequencyName(on chip: Chip) -> String {
        Self.frequencies(of: chip).first { $0.code == frequencyCode }?.name ?? "unknown (\(frequencyCode))"
    }

    /// The code of a size of `bytes`; `nil` when there is none.
    public static func sizeCode(ofBytes bytes: UInt64) -> UInt8? {
        sizeNames.indices.first { UInt64(1 << 20) << UInt64($0) == bytes }.map { UInt8($0) }
    }
}

/// A change of the flash settings in an image's header; `nil` leaves a setting unchanged.
public struct FlashSettingsChange: Hashable, Sendable {
    /// The mode: qio, qout, dio or dout.
    public var mode: UInt8?
    /// The code of the frequency.
    public var frequencyCode: UInt8?
    /// The code of the size.
    public var sizeCode: UInt8?

    /// No change.
    public static let none = FlashSettingsChange()

    /// A change of the given parts.
    public init(mode: UInt8? = nil, frequencyCode: UInt8? = nil, sizeCode: UInt8? = nil) {
        self.mode = mode
        self.frequencyCode = frequencyCode
        self.sizeCode = sizeCode
    }

    /// A change by names, for `chip`; `nil` and "keep" change nothing.
    ///
    /// - Throws: ``ImageError`` with code `invalidField`, which lists the allowed names.
    public init(mode: String?, frequency: String?, size: String?, of chip: Chip) throws(ImageError) {
        self.mode = try Self.code(mode, "flash mode", FlashSettings.modeNames.enumerated().map { ($1, UInt8($0)) })
        frequencyCode = try Self.code(
            frequency, "flash frequency of the \(chip.name)", FlashSettings.frequencies(of: chip))
        sizeCode = try Self.code(size, "flash size", FlashSettings.sizeNames.enumerated().map { ($1, UInt8($0)) })
    }

    /// `settings` with the change applied.
    public func applied(to settings: FlashSettings) -> FlashSettings {
        FlashSettings(
            mode: mode ?? settings.mode, frequencyCode: frequencyCode ?? settings.frequencyCode,
            sizeCode: sizeCode ?? settings.sizeCode)
    }

    /// `bytes` with changed settings and an updated digest in the image at their beginning; more may follow the image.
    /// Without a change, the same bytes.
    ///
    /// - Throws: ``ImageError`` when `bytes` do not begin with a valid image.
    public func applied(to bytes: [UInt8], for chip: Chip) throws(ImageError) -> [UInt8] {
        guard self != .none else { return bytes }
        let image = try FirmwareImage(bytes[...], for: chip)
        let settings = applied(to: image.header.flash)
        guard settings != image.header.flash else { return bytes }
        var result = bytes
        result[2] = settings.mode
        result[3] = settings.sizeAndFrequency
        if image.header.hasHash {
            let end = image.length - ImageChecksum.hashLength
            result.replaceSubrange(end..<image.length, with: ImageChecksum.hash(result[..<end]))
        }
        return result
    }

    private static func code(
        _ name: String?, _ what: String, _ names: [(name: String, code: UInt8)]
    ) throws(ImageError) -> UInt8? {
        guard let name, name.lowercased() != "keep" else { return nil }
        guard let found = names.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw ImageError(
                .invalidField, what,
                "expected keep, \(names.map(\.name).joined(separator: ", ")), got '\(name)'")
        }
        return found.code
    }
}
