import ByteCodec
public import ESPChips

/// Builds an image from segments, with the layout of esptool's `elf2image`.
///
/// Mapped segments have file offsets that equal their addresses in the low 16 bits. The space before them is filled
/// with RAM segments, split where needed, and then with zeros.
public struct ImageBuilder: Sendable {
    /// On the ESP32, a mapped segment whose last page has fewer bytes than this is extended to this length: ESP-IDF's
    /// older bootloaders did not map such a page.
    private static let leastLastPage = 0x24

    /// The chip the image is for.
    public var chip: Chip
    /// How the ROM accesses the flash.
    public var flash: FlashSettings
    /// The entry point; 0 for none.
    public var entryPoint: UInt32
    /// The lowest chip revision that may run it: major × 100 + minor.
    public var minimumRevision: UInt16 = 0
    /// The highest chip revision that may run it, in the same form.
    public var maximumRevision = UInt16.max

    /// The digest of the ELF file, and the offset in the image at which it replaces zeros.
    private var elfDigest: (offset: Int, bytes: [UInt8])?

    /// The size of the flash cache's pages: the file offset of a mapped segment equals its address within a page.
    public var pageSize = MemoryMap.flashPageSize

    private var mapped: [ImageSegment] = []
    private var loaded: [ImageSegment] = []
    /// The addresses of segments that come before the others of their kind.
    private var first: Set<UInt32> = []
    private var unplaced: [ArraySlice<UInt8>] = []

    /// An image without segments; without `flash`, for a flash of 4 MB as Arduino's boards use it.
    public init(for chip: Chip, flash: FlashSettings? = nil, entryPoint: UInt32 = 0) {
        self.chip = chip
        self.flash = flash ?? .dio4MB(for: chip)
        self.entryPoint = entryPoint
    }

    /// Adds a segment at an address; its data are zero-padded to a multiple of 4.
    ///
    /// Segments are ordered by address; one that `isFirst` comes before the others of its kind, mapped or in RAM.
    public mutating func add(_ data: ArraySlice<UInt8>, at address: UInt32, isFirst: Bool = false) {
        if isFirst { first.insert(address) }
        let segment = ImageSegment(address: address, data: Self.zeroPadded(data))
        if chip.memory.isMapped(address) {
            mapped.append(segment)
        } else {
            loaded.append(segment)
        }
    }

    /// Adds data that are mapped at a free address of the chip's data range, without padding: after mapped segments
    /// with fixed addresses, before those in RAM.
    public mutating func addMapped(_ data: ArraySlice<UInt8>) {
        unplaced.append(Self.zeroPadded(data))
    }

    /// Places the SHA-256 digest of the file `elf` at `offset` of the image, instead of zeros: logs and core dumps name a
    /// program by it. In `esp_app_desc_t` of the first segment that is 0xB0.
    public mutating func placeDigest(of elf: [UInt8], at offset: Int) {
        elfDigest = (offset, ImageChecksum.hash(elf[...]))
    }

    /// The bytes of the image, with checksum and hash.
    ///
    /// - Throws: ``ImageError`` with code `segmentOutOfRange` when no memory of the chip can contain a segment,
    ///   `segmentMisaligned` when two mapped segments share a page, `invalidField` when there are no segments or too
    ///   many.
    public func build() throws(ImageError) -> [UInt8] {
        var writer = ByteWriter(capacity: ImageHeader.length)
        var header = ImageHeader(segmentCount: 0, flash: flash, entryPoint: entryPoint, chipID: chip.id)
        header.minimumRevision = minimumRevision
        header.maximumRevision = maximumRevision
        let segments = try laidOut()
        guard !segments.isEmpty, segments.count <= ImageHeader.maximumSegmentCount else {
            throw ImageError(
                .invalidField, "image",
                "expected 1 to \(ImageHeader.maximumSegmentCount) segments with padding, got \(segments.count)")
        }
        header.segmentCount = UInt8(segments.count)
        header.write(to: &writer)
        var checksum = ImageChecksum.seed
        var isDigestPlaced = false
        for (index, segment) in segments.enumerated() {
            guard segment.isPadding || chip.memory.canLoad(segment.data.count, at: segment.address),
                segment.data.count < Int(ImageSegment.lengthLimit)
            else {
                throw ImageError(
                    .segmentOutOfRange, "segment \(index)",
                    "\(chip.name) has no memory for \(segment.data.count) bytes at "
                        + hexadecimal(segment.address, digits: 8))
            }
            writer.uint32(segment.address)
            writer.uint32(UInt32(segment.data.count))
            let data = try withDigest(segment.data, at: writer.count, isPlaced: &isDigestPlaced)
            writer.append(data)
            checksum = ImageChecksum.update(checksum, data)
        }
        if let elfDigest, !isDigestPlaced {
            throw ImageError(
                .invalidField, "digest of the ELF file",
                "expected \(elfDigest.bytes.count) bytes of a segment at \(hexadecimal(UInt(elfDigest.offset))), got none"
            )
        }
        let block = ImageChecksum.blockLength
        writer.append(repeatElement(0, count: block - 1 - writer.count % block))
        writer.uint8(checksum)
        writer.append(ImageChecksum.hash(writer.bytes[...]))
        return writer.bytes
    }

    /// `data`, which begin at `start` of the image, with the digest of the ELF file if it belongs there.
    private func withDigest(
        _ data: ArraySlice<UInt8>, at start: Int, isPlaced: inout Bool
    ) throws(ImageError) -> ArraySlice<UInt8> {
        guard let elfDigest, elfDigest.offset >= start,
            elfDigest.offset + elfDigest.bytes.count <= start + data.count
        else { return data }
        let place =
            data.startIndex + elfDigest.offset - start..<data.startIndex + elfDigest.offset - start
            + elfDigest.bytes.count
        guard data[place].allSatisfy({ $0 == 0 }) else {
            throw ImageError(
                .invalidField, "digest of the ELF file",
                "expected zeros at \(hexadecimal(UInt(elfDigest.offset))), got other bytes")
        }
        var result = data
        result.replaceSubrange(place, with: elfDigest.bytes)
        isPlaced = true
        return result
    }

    private static func zeroPadded(_ data: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        data + repeatElement(0, count: (4 - data.count % 4) % 4)
    }

    private func ordered(_ segments: [ImageSegment]) -> [ImageSegment] {
        segments.sorted {
            (first.contains($0.address) ? 0 : 1, $0.address) < (first.contains($1.address) ? 0 : 1, $1.address)
        }
    }

    /// All segments in order, with padding.
    private func laidOut() throws(ImageError) -> [ImageSegment] {
        let page = Int(pageSize)
        let header = ImageSegment.headerLength
        var waiting = ordered(loaded)[...]
        let mapped = ordered(self.mapped)
        var result: [ImageSegment] = []
        var offset = ImageHeader.length

        func append(_ segment: ImageSegment) {
            result.append(segment)
            offset += header + segment.data.count
        }

        for (index, segment) in mapped.enumerated() {
            if index > 0,
                mapped[index - 1].address / pageSize == segment.address / pageSize
            {
                throw ImageError(
                    .segmentMisaligned, "segment at \(hexadecimal(segment.address, digits: 8))",
                    "expected a separate \(pageSize >> 10) KB page, got the page of the previous segment")
            }
            while true {
                let wanted = Int(segment.address % pageSize)
                let missing = (wanted - (offset + header) % page + page) % page
                if missing == 0 { break }
                // A padding segment has a header, too.
                let fill = (missing - header + page) % page
                if let first = waiting.first, fill > header {
                    let count = min(fill, first.data.count)
                    append(ImageSegment(address: first.address, data: first.data.prefix(count)))
                    waiting = waiting.dropFirst()
                    if count < first.data.count {
                        let rest = ImageSegment(
                            address: first.address + UInt32(count), data: first.data.dropFirst(count))
                        waiting = [rest] + waiting
                    }
                } else {
                    append(ImageSegment(address: 0, data: ArraySlice(repeatElement(0, count: fill))))
                }
            }
            append(extended(segment, at: offset + header))
        }
        // The next mapped page; the file offset determines the address within the page.
        var nextPage =
            mapped.last(where: { chip.memory.flashData.contains($0.address) }).map(Self.pageAfter)
            ?? chip.memory.flashData.lowerBound
        for data in unplaced {
            let start = offset + header
            let segment = ImageSegment(address: nextPage + UInt32(start % page), data: data)
            append(extended(segment, at: start))
            nextPage = result.last.map(Self.pageAfter) ?? nextPage
        }
        for segment in waiting { append(segment) }
        return result
    }

    private static func pageAfter(_ segment: ImageSegment) -> UInt32 {
        let page = MemoryMap.flashPageSize
        return (segment.address &+ UInt32(segment.data.count) &+ page - 1) / page * page
    }

    private func extended(_ segment: ImageSegment, at offset: Int) -> ImageSegment {
        guard chip == .esp32 else { return segment }
        let end = (offset + segment.data.count) % Int(MemoryMap.flashPageSize)
        guard end < Self.leastLastPage else { return segment }
        var longer = segment
        longer.data += repeatElement(0, count: Self.leastLastPage - end)
        return longer
    }
}
