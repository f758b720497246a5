import ByteCodec
public import ESPChips

/// The image in place of the second-stage bootloader on a virtual board.
///
/// It contains no code: the virtual board implements the bootloader, and only checks that an image is there.
public enum VirtualBootloader {
    /// Follows the bootloader's description and identifies the image.
    public static let marker = "espbench virtual bootloader"

    /// The image for `chip`.
    public static func image(
        for chip: Chip, flash: FlashSettings? = nil, description: BootloaderDescription
    ) throws(ImageError) -> [UInt8] {
        var writer = ByteWriter()
        description.write(to: &writer)
        writer.append(marker.utf8)
        writer.uint8(0)
        var builder = ImageBuilder(for: chip, flash: flash)
        builder.add(writer.bytes[...], at: chip.memory.ram[0].lowerBound)
        return try builder.build()
    }
}

extension FirmwareImage {
    /// Whether this is the image of ``VirtualBootloader``.
    public var isVirtualBootloader: Bool {
        guard let first = segments.first else { return false }
        return first.data.dropFirst(BootloaderDescription.length).starts(with: VirtualBootloader.marker.utf8)
    }
}
