public import ByteCodec

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
    /// How the flash is accessed.
    public var flash: FlashSettings
    /// The entry point.
    public var entryPoint: UInt32
    /// The chip the image is for.
    public var chipID: UInt16
    /// The lowest chip revision that may run it: major × 100 + minor.
    public var minimumRevision: UInt16 = 0
    /// The highest chip revision that may run it; 0, as in old images, and 65535 for no limit.
    public var maximumRevision: UInt16 = 0xFFFF
    /// Whether a SHA-256 digest follows the image.
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
            _ = try reader.uint8()  // The revision in its old form.
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
