public import ByteCodec
import Crypto

/// The parts of a 32-bit little-endian ELF file that go into an image: the sections with content and their addresses
/// ("Executable and Linkable Format", Tool Interface Standard 1.2).
public struct ELFFile: Sendable {
    /// A section that is loaded or mapped.
    public struct Section: Hashable, Sendable {
        /// Its name, e.g. `.flash.text`.
        public var name: String
        /// Its address in the chip.
        public var address: UInt32
        /// Its content.
        public var data: ArraySlice<UInt8>
    }

    /// The processor families of Espressif's chips.
    public enum Machine: UInt16, Hashable, Sendable {
        /// Tensilica Xtensa: ESP32, ESP32-S2, ESP32-S3.
        case xtensa = 94
        /// RISC-V: all others.
        case riscV = 243
    }

    /// The first four bytes.
    public static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    /// The length of the file header, in bytes.
    private static let headerLength = 52
    /// The length of an entry of the section header table, in bytes.
    private static let sectionHeaderLength = 40
    /// The section types with content: PROGBITS, INIT_ARRAY, FINI_ARRAY, PREINIT_ARRAY.
    private static let loadedTypes: Set<UInt32> = [1, 14, 15, 16]
    /// The section type of names.
    private static let stringTable: UInt32 = 3

    /// The processor it is for.
    public let machine: Machine
    /// The entry point.
    public let entryPoint: UInt32
    /// The sections with an address and content, in the order of the file.
    public let sections: [Section]
    /// The SHA-256 digest of the whole file, which ESP-IDF's applications carry.
    public let digest: [UInt8]

    private struct SectionHeader {
        let name: UInt32
        let type: UInt32
        let address: UInt32
        let offset: UInt32
        let size: UInt32

        init(from reader: inout ByteReader) throws(CodecError) {
            name = try reader.uint32()
            type = try reader.uint32()
            _ = try reader.uint32()
            address = try reader.uint32()
            offset = try reader.uint32()
            size = try reader.uint32()
            _ = try reader.slice(16)  // Link, information, alignment and entry size.
        }
    }

    /// Parses an executable.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` when it is no ELF file, `invalidField` when it is one for another
    ///   processor or has no sections, `truncated` when its content is missing.
    public init(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.starts(with: Self.magic) else {
            throw ImageError(
                .badMagic, "ELF file",
                "expected it to begin with 7f 45 4c 46, got \(Hexadecimal.string(bytes.prefix(4)))")
        }
        do throws(CodecError) {
            var reader = ByteReader(bytes[...], subject: "ELF file")
            _ = try reader.slice(4)
            let (bits, order) = (try reader.uint8(), try reader.uint8())
            guard bits == 1, order == 1 else {
                throw reader.invalid(
                    "class and byte order", UInt64(bits) << 8 | UInt64(order), allowed: "0x101: 32 bits, little-endian")
            }
            _ = try reader.slice(12)
            let number = try reader.uint16()
            guard let machine = Machine(rawValue: number) else {
                throw reader.invalid("machine", UInt64(number), allowed: "94 (Xtensa) or 243 (RISC-V)")
            }
            self.machine = machine
            _ = try reader.uint32()
            entryPoint = try reader.uint32()
            _ = try reader.uint32()
            let tableOffset = Int(try reader.uint32())
            _ = try reader.slice(10)
            let entryLength = try reader.uint16()
            let count = Int(try reader.uint16())
            let nameIndex = Int(try reader.uint16())
            guard Int(entryLength) == Self.sectionHeaderLength, count > 0 else {
                throw reader.invalid(
                    "section header table", UInt64(count), allowed: "entries of \(Self.sectionHeaderLength) bytes")
            }
            var table = ByteReader(
                bytes.dropFirst(tableOffset).prefix(count * Self.sectionHeaderLength), subject: "ELF section headers")
            var headers: [SectionHeader] = []
            for _ in 0..<count { headers.append(try SectionHeader(from: &table)) }
            guard headers.indices.contains(nameIndex), headers[nameIndex].type == Self.stringTable else {
                throw reader.invalid("index of the section names", UInt64(nameIndex), allowed: "that of a string table")
            }
            let names = try Self.content(of: headers[nameIndex], in: bytes)
            var sections: [Section] = []
            for header in headers
            where Self.loadedTypes.contains(header.type) && header.address != 0 && header.size > 0 {
                let name = names.dropFirst(Int(header.name)).prefix { $0 != 0 }
                sections.append(
                    Section(
                        name: String(decoding: name, as: UTF8.self), address: header.address,
                        data: try Self.content(of: header, in: bytes)))
            }
            self.sections = sections
        } catch {
            throw ImageError(error)
        }
        digest = Array(SHA256.hash(data: bytes))
    }

    private static func content(
        of header: SectionHeader, in bytes: [UInt8]
    ) throws(CodecError) -> ArraySlice<UInt8> {
        var reader = ByteReader(bytes.dropFirst(Int(header.offset)), subject: "ELF section")
        return try reader.slice(Int(header.size))
    }
}
