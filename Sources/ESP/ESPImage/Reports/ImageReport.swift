public import ESPChips

/// The contents of an image, even with a wrong checksum or digest: for people who inspect a file.
public struct ImageReport: Sendable {
    /// A segment, and the memory it is for.
    public struct Segment: Hashable, Sendable {
        /// Its address; 0 for padding.
        public var address: UInt32
        /// The length of its data, in bytes.
        public var length: Int
        /// The offset of its data in the image.
        public var offset: Int
        /// The memory it is for.
        public var memory: String
    }

    /// The chip that the header names.
    public let chip: Chip
    /// The header.
    public let header: ImageHeader
    /// All segments in order.
    public let segments: [Segment]
    /// Checksum and digest, stored and computed.
    public let sums: ImageReader.Sums
    /// The kind of image.
    public let kind: ImageKind
    /// The description of the application, if it has one.
    public let application: AppDescription?
    /// The description of the bootloader, if it has one.
    public let bootloader: BootloaderDescription?

    /// True if checksum and digest are right.
    public var isValid: Bool { (try? sums.check()) != nil }

    /// Reads the image at the beginning of `bytes`; more may follow.
    ///
    /// - Throws: ``ImageError`` when header or segments cannot be read; a wrong checksum or digest is not an error.
    public init(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
        let image: FirmwareImage
        (image, segments, sums) = try Self.read(bytes)
        header = image.header
        // The reader has refused chips that are not known.
        chip = Chip.withID(header.chipID) ?? .esp32
        kind = image.kind
        application = image.appDescription
        bootloader = kind == .bootloader ? BootloaderDescription(in: image) : nil
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>
    ) throws(ImageError) -> (FirmwareImage, [Segment], ImageReader.Sums) {
        let chip = try FirmwareImage.chip(of: bytes)
        var reader = try ImageReader(bytes, for: chip)
        var segments: [Segment] = []
        var parts: [ImageSegment] = []
        while let placed = try reader.nextSegment() {
            parts.append(placed.segment)
            segments.append(
                Segment(
                    address: placed.segment.address, length: placed.segment.data.count, offset: placed.dataOffset,
                    memory: chip.memory.name(of: placed.segment.address)))
        }
        let sums = try reader.sums()
        return (FirmwareImage(header: reader.header, segments: parts, length: sums.imageLength), segments, sums)
    }
}

extension MemoryMap {
    /// The name of the memory at `address`, for people.
    func name(of address: UInt32) -> String {
        if address == 0 { return "padding" }
        switch (flashData.contains(address), flashInstructions.contains(address)) {
        case (true, true): return "flash"
        case (true, false): return "flash data"
        case (false, true): return "flash code"
        case (false, false): break
        }
        guard let index = ram.firstIndex(where: { $0.contains(address) }) else { return "unknown" }
        // RTC memory has the same addresses on all chips; the first RAM range is the data RAM.
        if 0x5000_0000..<0x5010_0000 ~= address || 0x600F_E000..<0x6010_0000 ~= address { return "RTC RAM" }
        return index == 0 && ram.count > 1 ? "data RAM" : "RAM"
    }
}
