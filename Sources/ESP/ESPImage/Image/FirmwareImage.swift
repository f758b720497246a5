public import ByteCodec
import Crypto
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

    /// An image made of parts that were read separately.
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

/// A segment of an image: bytes for an address of the chip.
public struct ImageSegment: Hashable, Sendable {
    /// The length of the header before the data: address and length.
    public static let headerLength = 8
    /// Data of at least this length are refused, in bytes.
    public static let lengthLimit: UInt32 = 0x100_0000

    /// The address where the segment is loaded or mapped; 0 marks padding.
    public var address: UInt32
    /// Its bytes; a multiple of 4.
    public var data: ArraySlice<UInt8>

    /// A segment of `data` at `address`.
    public init(address: UInt32, data: ArraySlice<UInt8>) {
        self.address = address
        self.data = data
    }

    /// True if it is padding before a mapped segment.
    public var isPadding: Bool { address == 0 }
}

/// The first 24 bytes of an image: `esp_image_header_t` of ESP-IDF.
public struct ImageHeader: Hashable, Sendable {
    /// The first byte.
    public static let magic: UInt8 = 0xE9
    /// The length of the header, in bytes.
    public static let length = 24
    /// The most segments an image may have.
    public static let maximumSegmentCount = 16
    /// No write-protect pin.
    private static let noWriteProtectPin: UInt8 = 0xEE

    /// The number of segments that follow.
    public var segmentCount: UInt8
    /// The settings for flash access.
    public var flash: FlashSettings
    /// The entry point.
    public var entryPoint: UInt32
    /// The chip the image is for.
    public var chipID: UInt16
    /// The lowest chip revision that may run it: major × 100 + minor.
    public var minimumRevision: UInt16 = 0
    /// The highest chip revision that may run it; 0, as in old images, and 65535 for no limit.
    public var maximumRevision: UInt16 = 0xFFFF
    /// True if a SHA-256 digest follows the image.
    public var hasHash = true

    /// The highest chip revision that may run it; `nil` for no limit (ESP-IDF, `bootloader_common_loader.c`).
    public var revisionLimit: UInt16? { maximumRevision == 0 || maximumRevision == 0xFFFF ? nil : maximumRevision }

    /// The write-protect pin and the drive strengths of the flash pins, uninterpreted.
    private var pins: [UInt8] = [noWriteProtectPin, 0, 0, 0]

    /// A header with the usual settings.
    public init(segmentCount: UInt8, flash: FlashSettings, entryPoint: UInt32, chipID: UInt16) {
        self.segmentCount = segmentCount
        self.flash = flash
        self.entryPoint = entryPoint
        self.chipID = chipID
    }

    /// Parses a header; validates only magic, segment count and hash flag.
    ///
    /// - Throws: ``ImageError`` with code `badMagic`, `truncated` or `invalidField`.
    public init(from reader: inout ByteReader) throws(ImageError) {
        let magic: UInt8
        do { magic = try reader.uint8() } catch { throw ImageError(error) }
        guard magic == Self.magic else {
            throw ImageError(
                .badMagic, "image header",
                "expected \(hexadecimal(Self.magic)) as the first byte, got \(hexadecimal(magic, digits: 2))")
        }
        do throws(CodecError) {
            segmentCount = try reader.uint8()
            flash = FlashSettings(mode: try reader.uint8(), sizeAndFrequency: try reader.uint8())
            entryPoint = try reader.uint32()
            pins = Array(try reader.slice(4))
            chipID = try reader.uint16()
            _ = try reader.uint8()  // The minimum revision in the old format.
            minimumRevision = try reader.uint16()
            maximumRevision = try reader.uint16()
            _ = try reader.uint32()
            let flag = try reader.uint8()
            guard flag <= 1 else { throw reader.invalid("hash flag", UInt64(flag), allowed: "0 or 1") }
            hasHash = flag == 1
        } catch {
            throw ImageError(error)
        }
        guard segmentCount > 0, segmentCount <= Self.maximumSegmentCount else {
            throw ImageError(
                .invalidField, "image header", "expected 1 to \(Self.maximumSegmentCount) segments, got \(segmentCount)"
            )
        }
    }

    /// Appends the header.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.magic)
        writer.uint8(segmentCount)
        writer.uint8(flash.mode)
        writer.uint8(flash.sizeAndFrequency)
        writer.uint32(entryPoint)
        writer.append(pins)
        writer.uint16(chipID)
        writer.uint8(0)
        writer.uint16(minimumRevision)
        writer.uint16(maximumRevision)
        writer.uint32(0)
        writer.uint8(hasHash ? 1 : 0)
    }
}

/// The kind of an image, derived from its segments.
public enum ImageKind: Hashable, Sendable, CustomStringConvertible {
    /// An application: the first segment is mapped from flash and begins with an ``AppDescription``, where ESP-IDF's
    /// `esp_ota_get_partition_description()` reads it.
    case application
    /// A second-stage bootloader: it begins with a ``BootloaderDescription``.
    case bootloader
    /// All of it is loaded into RAM: a bootloader of ESP-IDF before 5.1, or a program for esptool's `load-ram`.
    case loadedIntoRAM
    /// Segments are mapped from flash, but the application description is missing.
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

/// Checksum and hash of an image.
enum ImageChecksum {
    /// The initial value of the checksum.
    static let seed: UInt8 = 0xEF
    /// The length of the SHA-256 digest.
    static let hashLength = 32
    /// The checksum is the last byte of a block of this many bytes.
    static let blockLength = 16

    /// Continues the exclusive or over `data`.
    static func update(_ checksum: UInt8, _ data: ArraySlice<UInt8>) -> UInt8 {
        // Eight bytes at a time: in a debug build, byte for byte took half of a test's time.
        data.withUnsafeBytes { bytes in
            let end = bytes.count - bytes.count % 8
            var word: UInt64 = 0
            var offset = 0
            while offset < end {
                word ^= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            word ^= word >> 32
            word ^= word >> 16
            word ^= word >> 8
            return bytes[end...].reduce(checksum ^ UInt8(truncatingIfNeeded: word), ^)
        }
    }

    /// The SHA-256 digest of `bytes`.
    static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sha = SHA256()
        bytes.withUnsafeBytes { sha.update(bufferPointer: $0) }
        return Array(sha.finalize())
    }
}
