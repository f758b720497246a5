public import ESPChips

/// The names that esptool and ESP-IDF use for ``FlashSettings``.
extension FlashSettings {
    /// The modes by code.
    public static let modeNames = ["qio", "qout", "dio", "dout"]
    /// The sizes by code.
    public static let sizeNames = ["1MB", "2MB", "4MB", "8MB", "16MB", "32MB", "64MB", "128MB"]

    /// The frequencies of `chip` by name, fastest first.
    ///
    /// The ROM of the ESP32-C6 misreads 80 MHz: images for it say 40 MHz, and ESP-IDF's bootloader sets the real one.
    public static func frequencies(of chip: Chip) -> [(name: String, code: UInt8)] {
        switch chip {
        case .esp32c2: [("60m", 15), ("30m", 0), ("20m", 1), ("15m", 2)]
        case .esp32h2: [("48m", 15), ("24m", 0), ("16m", 1), ("12m", 2)]
        case .esp32c5: [("80m", 15), ("40m", 0), ("20m", 2)]
        case .esp32c6: [("80m", 0), ("40m", 0), ("20m", 2)]
        default: [("80m", 15), ("40m", 0), ("26m", 1), ("20m", 2)]
        }
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

/// A change of the flash settings in an image's header; parts that are `nil` stay.
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

    /// The change makes `settings` this.
    public func applied(to settings: FlashSettings) -> FlashSettings {
        FlashSettings(
            mode: mode ?? settings.mode, frequencyCode: frequencyCode ?? settings.frequencyCode,
            sizeCode: sizeCode ?? settings.sizeCode)
    }

    /// The image that begins `bytes` with changed settings, and with the digest that belongs to them; more may follow
    /// the image. Without a change, the same bytes.
    ///
    /// - Throws: ``ImageError`` when `bytes` begin with no valid image.
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
