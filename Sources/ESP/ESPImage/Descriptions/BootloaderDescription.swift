public import ByteCodec

/// The description of a second-stage bootloader: `esp_bootloader_desc_t` of ESP-IDF, 80 bytes at the beginning of its
/// first segment.
public struct BootloaderDescription: Hashable, Sendable {
    /// The first byte.
    public static let magic: UInt8 = 80
    /// The length, in bytes.
    public static let length = 80

    /// The version of the bootloader, counted by its project.
    public var version: UInt32
    /// The version of ESP-IDF; at most 31 bytes.
    public var idfVersion: String
    /// The time of the build, `Mmm dd yyyy HH:MM:SS`; at most 23 bytes.
    public var dateTime: String

    /// All fields; texts that are too long are truncated.
    public init(version: UInt32, idfVersion: String, dateTime: String) {
        self.version = version
        self.idfVersion = idfVersion
        self.dateTime = dateTime
    }

    /// The description at the beginning of a bootloader's first segment; `nil` when there is none.
    init?(in image: FirmwareImage) {
        guard let first = image.segments.first(where: { !$0.isPadding }), first.data.first == Self.magic else {
            return nil
        }
        var reader = ByteReader(first.data.prefix(Self.length), subject: "bootloader description")
        do throws(CodecError) {
            _ = try reader.slice(4)
            version = try reader.uint32()
            idfVersion = try reader.fixedText(length: 32)
            dateTime = try reader.fixedText(length: 24)
        } catch {
            return nil
        }
    }

    /// Appends 80 bytes.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.magic)
        writer.append([0, 0, 0])
        writer.uint32(version)
        writer.fixedText(idfVersion, length: 32)
        writer.fixedText(dateTime, length: 24)
        writer.append(repeatElement(0, count: 16))
    }
}
