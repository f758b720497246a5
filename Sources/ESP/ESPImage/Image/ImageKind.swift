import ESPChips

/// The kind of an image, derived from its segments.
public enum ImageKind: Hashable, Sendable, CustomStringConvertible {
    /// An application: the first segment is mapped from flash and begins with an ``AppDescription``, where ESP-IDF's
    /// `esp_ota_get_partition_description()` reads it.
    case application
    /// A second-stage bootloader: it begins with a ``BootloaderDescription``.
    case bootloader
    /// All of it is loaded into RAM: a bootloader of ESP-IDF before 5.1, or a program for esptool's `load-ram`.
    case loadedIntoRAM
    /// Segments are mapped from flash, but there is no application description at its place.
    case undescribed

    /// The kind, for messages.
    public var description: String {
        switch self {
        case .application: "an application"
        case .bootloader: "a second-stage bootloader"
        case .loadedIntoRAM: "an image that is loaded into RAM, as an older bootloader or a program for load-ram"
        case .undescribed: "an image for flash without that description"
        }
    }
}

extension FirmwareImage {
    /// The kind of the image.
    public var kind: ImageKind {
        guard let chip = Chip.withID(header.chipID), let first = segments.first(where: { !$0.isPadding }) else {
            return .undescribed
        }
        if chip.memory.isMapped(first.address), appDescription != nil { return .application }
        if segments.contains(where: { chip.memory.isMapped($0.address) }) { return .undescribed }
        return first.data.count >= BootloaderDescription.length && first.data.first == BootloaderDescription.magic
            ? .bootloader : .loadedIntoRAM
    }
}
