import ByteCodec
public import ESPChips

/// A complete, validated image.
public struct FirmwareImage: Hashable, Sendable {
    /// The header.
    public let header: ImageHeader
    /// All segments in order, including padding.
    public let segments: [ImageSegment]
    /// The length including checksum and hash, in bytes.
    public let length: Int

    /// Parses and validates the image at the beginning of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: the image; more may follow, as in a partition.
    ///   - chip: the chip it must be for.
    /// - Throws: ``ImageError`` at the first fault.
    public init(_ bytes: ArraySlice<UInt8>, for chip: Chip) throws(ImageError) {
        var reader = try ImageReader(bytes, for: chip)
        var segments: [ImageSegment] = []
        while let placed = try reader.nextSegment() { segments.append(placed.segment) }
        let sums = try reader.sums()
        try sums.check()
        header = reader.header
        self.segments = segments
        length = sums.imageLength
    }

    /// Parses and validates an image for any known chip, which its header names.
    ///
    /// - Throws: ``ImageError`` at the first fault; `wrongChip` when the chip is not known.
    public init(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
        try self.init(bytes, for: Self.chip(of: bytes))
    }

    /// Parts that were read one by one.
    init(header: ImageHeader, segments: [ImageSegment], length: Int) {
        self.header = header
        self.segments = segments
        self.length = length
    }

    /// The chip that the header of `bytes` names.
    ///
    /// - Throws: ``ImageError``; `wrongChip` when the chip is not known.
    public static func chip(of bytes: ArraySlice<UInt8>) throws(ImageError) -> Chip {
        var reader = ByteReader(bytes, subject: "image")
        let header = try ImageHeader(from: &reader)
        guard let chip = Chip.withID(header.chipID) else {
            throw ImageError(.wrongChip, "image header", "expected a known chip id, got \(header.chipID)")
        }
        return chip
    }

    /// The description at the beginning of the first segment that is not padding; `nil` when there is none, as in a
    /// bootloader.
    public var appDescription: AppDescription? {
        descriptionBytes.flatMap { bytes in
            var reader = ByteReader(bytes, subject: "application description")
            return try? AppDescription(from: &reader)
        }
    }

    /// The bytes of ``appDescription`` in the image.
    var descriptionBytes: ArraySlice<UInt8>? {
        guard let first = segments.first(where: { !$0.isPadding }), first.data.count >= AppDescription.length
        else { return nil }
        return first.data.prefix(AppDescription.length)
    }
}
