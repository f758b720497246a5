public import ByteCodec

/// The description of an application: `esp_app_desc_t` of ESP-IDF, 256 bytes at the beginning of its first segment.
public struct AppDescription: Hashable, Sendable {
    /// The first word.
    public static let magic: UInt32 = 0xABCD_5432
    /// The length, in bytes.
    public static let length = 256
    /// The length of ``elfHash``.
    public static let hashLength = 32

    /// The version of the application; at most 31 bytes, like the other texts unless stated otherwise.
    public var version: String
    /// The name of the project.
    public var projectName: String
    /// The time of the build, `HH:MM:SS`; at most 15 bytes.
    public var time: String
    /// The date of the build, `Mmm dd yyyy`; at most 15 bytes.
    public var date: String
    /// The version of ESP-IDF.
    public var idfVersion: String
    /// The SHA-256 digest of the ELF file; 32 bytes.
    public var elfHash: [UInt8]

    /// All fields; texts that are too long are truncated, and the digest is truncated or zero-padded.
    public init(
        version: String, projectName: String, time: String, date: String, idfVersion: String, elfHash: [UInt8]
    ) {
        self.version = version
        self.projectName = projectName
        self.time = time
        self.date = date
        self.idfVersion = idfVersion
        self.elfHash = Self.fitted(elfHash)
    }

    private static func fitted(_ hash: [UInt8]) -> [UInt8] {
        Array(hash.prefix(hashLength)) + Array(repeating: 0, count: max(0, hashLength - hash.count))
    }

    /// Reads 256 bytes.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` or `truncated`.
    public init(from reader: inout ByteReader) throws(ImageError) {
        do throws(CodecError) {
            guard reader.remaining >= Self.length else {
                throw CodecError(
                    "application description", .truncated(expected: Self.length, got: reader.remaining),
                    offset: reader.offset)
            }
            let magic = try reader.uint32()
            guard magic == Self.magic else { throw reader.invalid("magic", UInt64(magic), allowed: "\(Self.magic)") }
            _ = try reader.slice(12)  // Secure version, and reserved.
            version = try reader.fixedText(length: 32)
            projectName = try reader.fixedText(length: 32)
            time = try reader.fixedText(length: 16)
            date = try reader.fixedText(length: 16)
            idfVersion = try reader.fixedText(length: 32)
            elfHash = Array(try reader.slice(Self.hashLength))
            _ = try reader.slice(80)  // eFuse block revisions, page size, and reserved.
        } catch {
            if case .truncated = error.code { throw ImageError(error) }
            throw ImageError(.badMagic, "application description", error.description)
        }
    }

    /// Appends 256 bytes.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(Self.magic)
        writer.append(repeatElement(0, count: 12))
        writer.fixedText(version, length: 32)
        writer.fixedText(projectName, length: 32)
        writer.fixedText(time, length: 16)
        writer.fixedText(date, length: 16)
        writer.fixedText(idfVersion, length: 32)
        writer.append(Self.fitted(elfHash))
        writer.uint16(0)
        writer.uint16(0xFFFF)  // Any eFuse block revision.
        writer.uint8(16)  // Pages of 2^16 bytes.
        writer.append(repeatElement(0, count: 75))
    }

    /// The 256 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.length)
        write(to: &writer)
        return writer.bytes
    }
}

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

extension ByteWriter {
    /// Appends `text` in a field of `length` bytes, truncated so that it is NUL-terminated.
    mutating func fixedText(_ text: String, length: Int) {
        var bytes = Array(text.utf8.prefix(length - 1))
        // Do not split a UTF-8 character.
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        append(bytes)
        append(repeatElement(0, count: length - bytes.count))
    }
}

extension ByteReader {
    /// The text in a field of `length` bytes, up to its first 0.
    mutating func fixedText(length: Int) throws(CodecError) -> String {
        String(decoding: try slice(length).prefix { $0 != 0 }, as: UTF8.self)
    }
}
