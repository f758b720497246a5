import ByteCodec
public import ESPChips

/// Parses an image step by step, as a bootloader does: header, segments, checksum and hash.
///
/// For a bootloader, which logs each step; ``FirmwareImage/init(_:for:)`` gives only the result.
public struct ImageReader: Sendable {
    /// A segment and its position.
    public struct PlacedSegment: Hashable, Sendable {
        /// The segment.
        public var segment: ImageSegment
        /// The offset of its data from the beginning of the image, in bytes.
        public var dataOffset: Int
    }

    /// The header.
    public let header: ImageHeader
    private let chip: Chip
    private let bytes: ArraySlice<UInt8>
    private var reader: ByteReader
    private var segmentsRead = 0
    private var checksum = ImageChecksum.seed

    /// Parses the header of `bytes`, which may be longer than the image.
    ///
    /// - Throws: ``ImageError`` with code `badMagic`, `truncated`, `invalidField` or `wrongChip`.
    public init(_ bytes: ArraySlice<UInt8>, for chip: Chip) throws(ImageError) {
        self.bytes = bytes
        self.chip = chip
        reader = ByteReader(bytes, subject: "image")
        header = try ImageHeader(from: &reader)
        guard header.chipID == chip.id else {
            let other = Chip.withID(header.chipID)?.name ?? "an unknown chip"
            throw ImageError(
                .wrongChip, "image header",
                "expected chip id \(chip.id) (\(chip.name)), got \(header.chipID) (\(other))")
        }
    }

    /// The next segment; `nil` after the last.
    ///
    /// - Throws: ``ImageError`` with code `truncated`, `invalidField`, `segmentOutOfRange` or `segmentMisaligned`.
    public mutating func nextSegment() throws(ImageError) -> PlacedSegment? {
        guard segmentsRead < header.segmentCount else { return nil }
        let name = "segment \(segmentsRead)"
        let (address, length) = try segmentHeader(name)
        let offset = reader.offset
        guard length % 4 == 0, length < ImageSegment.lengthLimit else {
            throw ImageError(
                .invalidField, name,
                "expected a length below 16 MB that is a multiple of 4, got \(length) (at offset \(offset - 4))")
        }
        guard reader.remaining >= length else {
            throw ImageError(
                .truncated, name, "expected \(length) bytes at offset \(offset), got \(reader.remaining)")
        }
        if address != 0 {
            guard chip.memory.canLoad(Int(length), at: address) else {
                throw ImageError(
                    .segmentOutOfRange, name,
                    "\(chip.name) has no memory for \(length) bytes at \(hexadecimal(address, digits: 8))")
            }
            let page = chip.flashPageSizes[0]
            guard !chip.memory.isMapped(address) || UInt32(truncatingIfNeeded: offset) % page == address % page else {
                throw ImageError(
                    .segmentMisaligned, name,
                    "expected address \(hexadecimal(address, digits: 8)) and offset "
                        + "\(hexadecimal(UInt32(truncatingIfNeeded: offset))) to be equal within a page of \(page >> 10) KB"
                )
            }
        }
        do {
            let data = try reader.slice(Int(length))
            checksum = ImageChecksum.update(checksum, data)
            segmentsRead += 1
            return PlacedSegment(segment: ImageSegment(address: address, data: data), dataOffset: offset)
        } catch {
            throw ImageError(error)
        }
    }

    private mutating func segmentHeader(_ name: String) throws(ImageError) -> (address: UInt32, length: UInt32) {
        guard reader.remaining >= ImageSegment.headerLength else {
            throw ImageError(
                .truncated, name,
                "expected a header of \(ImageSegment.headerLength) bytes at offset \(reader.offset), "
                    + "got \(reader.remaining)")
        }
        do {
            return (try reader.uint32(), try reader.uint32())
        } catch {
            throw ImageError(error)
        }
    }

    /// Checksum and hash at the end of an image, stored and computed.
    public struct Sums: Hashable, Sendable {
        /// The checksum in the image.
        public var storedChecksum: UInt8
        /// The checksum computed over the segments.
        public var computedChecksum: UInt8
        /// The digest in the image; `nil` when the image has none.
        public var storedHash: ArraySlice<UInt8>?
        /// The digest computed over the image; `nil` when the image contains none.
        public var computedHash: ArraySlice<UInt8>?
        /// The length of the image including checksum and hash, in bytes.
        public var imageLength: Int

        /// Throws unless both match.
        ///
        /// - Throws: ``ImageError`` with code `checksum` or `hash`.
        public func check() throws(ImageError) {
            guard storedChecksum == computedChecksum else {
                throw ImageError(
                    .checksum, "image checksum",
                    "expected \(hexadecimal(computedChecksum, digits: 2)), got \(hexadecimal(storedChecksum, digits: 2))"
                )
            }
            guard storedHash == computedHash else {
                throw ImageError(
                    .hash, "image SHA-256",
                    "expected \(Hexadecimal.string(computedHash ?? [])), got \(Hexadecimal.string(storedHash ?? []))")
            }
        }
    }

    /// Parses checksum and hash; call it after ``nextSegment()`` has returned `nil`.
    ///
    /// - Throws: ``ImageError`` with code `truncated`.
    public mutating func sums() throws(ImageError) -> Sums {
        do throws(CodecError) {
            _ = try reader.slice(ImageChecksum.blockLength - 1 - reader.offset % ImageChecksum.blockLength)
            let stored = try reader.uint8()
            let hashed = bytes.prefix(reader.offset)
            let hash = header.hasHash ? try reader.slice(ImageChecksum.hashLength) : nil
            return Sums(
                storedChecksum: stored, computedChecksum: checksum, storedHash: hash,
                computedHash: header.hasHash ? ImageChecksum.hash(hashed)[...] : nil, imageLength: reader.offset)
        } catch {
            throw ImageError(.truncated, "image checksum and hash", error.description)
        }
    }
}
