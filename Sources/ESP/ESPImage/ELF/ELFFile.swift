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
    public static let magic = ELFSections.magic
    /// The section types with content: PROGBITS, INIT_ARRAY, FINI_ARRAY, PREINIT_ARRAY.
    private static let loadedTypes: Set<UInt64> = [1, 14, 15, 16]
    /// The section type of names.
    private static let stringTable: UInt64 = 3

    /// The processor it is for.
    public let machine: Machine
    /// The entry point.
    public let entryPoint: UInt32
    /// The sections with an address and content, in the order of the file.
    public let sections: [Section]
    /// The SHA-256 digest of the whole file, which ESP-IDF's applications carry.
    public let digest: [UInt8]

    /// Parses an executable.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` when it is no ELF file, `invalidField` when it is one for another
    ///   processor or has no sections, `truncated` when its content is missing.
    public init(_ bytes: [UInt8]) throws(ImageError) {
        let file = try ELFSections(bytes)
        guard !file.is64, let entryPoint = UInt32(exactly: file.entryPoint) else {
            throw ImageError(.invalidField, "ELF file", "expected one of 32 bits, got one of 64")
        }
        guard let machine = Machine(rawValue: file.machine) else {
            throw ImageError(
                .invalidField, "ELF file", "expected machine 94 (Xtensa) or 243 (RISC-V), got \(file.machine)")
        }
        self.machine = machine
        self.entryPoint = entryPoint
        guard file.headers.indices.contains(file.nameIndex), file.headers[file.nameIndex].type == Self.stringTable
        else {
            throw ImageError(
                .invalidField, "ELF file", "expected section \(file.nameIndex) to be the string table of names")
        }
        let names = try file.content(of: file.headers[file.nameIndex])
        var sections: [Section] = []
        for header in file.headers where Self.loadedTypes.contains(header.type) && header.size > 0 {
            guard header.address != 0, let address = UInt32(exactly: header.address) else { continue }
            let name = names.dropFirst(Int(header.name)).prefix { $0 != 0 }
            sections.append(
                Section(
                    name: String(decoding: name, as: UTF8.self), address: address,
                    data: try file.content(of: header)))
        }
        self.sections = sections
        digest = Array(SHA256.hash(data: bytes))
    }
}
