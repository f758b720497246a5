import ByteCodec
import Crypto
public import ESPChips

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

    /// The processor family that the file is for.
    public let machine: Machine
    /// The entry point.
    public let entryPoint: UInt32
    /// The sections with an address and content, in the order of the file.
    public let sections: [Section]
    /// The SHA-256 digest of the whole file, which ESP-IDF's applications carry.
    public let digest: [UInt8]

    /// Parses an executable.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` when the bytes are not an ELF file, `invalidField` when the file
    ///   is for another processor or has no sections, `truncated` when its content is missing.
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

/// The header of a little-endian ELF file of 32 or 64 bits, and the headers of its sections.
///
/// Source: System V ABI, "Object Files".
public struct ELFSections: Sendable {
    /// The header of a section.
    public struct Header: Hashable, Sendable {
        /// The offset of the section's name in the section of names.
        public let name: UInt64
        /// Its type, `SHT_…`.
        public let type: UInt64
        /// Its flags, `SHF_…`.
        public let flags: UInt64
        /// Its first address.
        public let address: UInt64
        /// The offset of the section's content in the file.
        public let offset: UInt64
        /// Its length, in bytes.
        public let size: UInt64
        /// The index of a related section: for a symbol table, the section of its names.
        public let link: UInt64
    }

    /// The first four bytes.
    public static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    /// `SHT_PROGBITS`: content of the program.
    public static let programBits: UInt64 = 1
    /// `SHT_SYMTAB`: the symbols.
    public static let symbols: UInt64 = 2

    /// True if its addresses have 64 bits.
    public let is64: Bool
    /// The machine, by its number in the ABI's registry.
    public let machine: UInt16
    /// The entry point.
    public let entryPoint: UInt64
    /// The headers, in the order of the file.
    public let headers: [Header]
    /// The index of the section of names; may be out of range.
    public let nameIndex: Int
    private let file: [UInt8]

    /// Parses the headers of `file`.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` when the bytes are not an ELF file, `invalidField` when the file
    ///   is big-endian or has no section headers, `truncated` when it ends before them.
    public init(_ file: [UInt8]) throws(ImageError) {
        guard file.starts(with: Self.magic) else {
            throw ImageError(
                .badMagic, "ELF file",
                "expected it to begin with 7f 45 4c 46, got \(Hexadecimal.string(file.prefix(4)))")
        }
        func number(_ offset: UInt64, _ size: UInt64) throws(ImageError) -> UInt64 {
            let (end, overflow) = offset.addingReportingOverflow(size)
            guard !overflow, end <= UInt64(file.count) else {
                throw ImageError(
                    .truncated, "ELF file",
                    "it is truncated: a field of \(size) bytes at \(offset) is beyond its end at \(file.count)")
            }
            return file[Int(offset)..<Int(end)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let (bits, order) = (try number(4, 1), try number(5, 1))
        guard order == 1, bits == 1 || bits == 2 else {
            throw ImageError(
                .invalidField, "ELF file",
                "expected class 1 or 2 (32 or 64 bits) and byte order 1 (little-endian), got \(bits) and \(order)")
        }
        let is64 = bits == 2
        let word: UInt64 = is64 ? 8 : 4
        machine = UInt16(truncatingIfNeeded: try number(18, 2))
        entryPoint = try number(24, word)
        let table = try number(is64 ? 40 : 32, word)
        let size = try number(is64 ? 58 : 46, 2)
        let count = try number(is64 ? 60 : 48, 2)
        nameIndex = Int(try number(is64 ? 62 : 50, 2))
        guard table > 0, size >= (is64 ? 64 : 40) else {
            throw ImageError(.invalidField, "ELF file", "it has no section headers: it was stripped")
        }
        var headers: [Header] = []
        for index in 0..<count {
            let (start, overflow) = table.addingReportingOverflow(index * size)
            // The position of the header's last byte, which lies beyond the end of a truncated file.
            let (last, isBeyond) = start.addingReportingOverflow(size - 1)
            guard !overflow, !isBeyond else {
                throw ImageError(.truncated, "ELF file", "its section headers are beyond its end at \(file.count)")
            }
            _ = try number(last, 1)
            headers.append(
                Header(
                    name: try number(start, 4), type: try number(start + 4, 4), flags: try number(start + 8, word),
                    address: try number(start + 8 + word, word), offset: try number(start + 8 + 2 * word, word),
                    size: try number(start + 8 + 3 * word, word), link: try number(start + 8 + 4 * word, 4)))
        }
        self.is64 = is64
        self.headers = headers
        self.file = file
    }

    /// The content of a section.
    ///
    /// - Throws: ``ImageError`` with code `truncated`.
    public func content(of header: Header) throws(ImageError) -> ArraySlice<UInt8> {
        let (end, overflow) = header.offset.addingReportingOverflow(header.size)
        guard !overflow, end <= UInt64(file.count) else {
            throw ImageError(
                .truncated, "ELF file",
                "it is truncated: a section of \(header.size) bytes at \(header.offset) is beyond its end at \(file.count)"
            )
        }
        return file[Int(header.offset)..<Int(end)]
    }
}

extension ImageBuilder {
    /// The section that ESP-IDF's linker scripts put the application's description into.
    private static let appDescriptionSection = ".flash.appdesc"
    /// The section of a bootloader's description.
    private static let bootloaderDescriptionSection = ".dram0.bootdesc"
    /// The offset of the ELF file's digest in an application's description.
    private static let digestOffset = 144

    /// A builder with the sections of `elf`, joined where they are adjacent, as in esptool's `elf2image`.
    ///
    /// The digest of the file is put into the application's description, if there is one.
    ///
    /// - Throws: ``ImageError`` with code `wrongChip` when the file is for another processor, `invalidField` when
    ///   it has nothing to load.
    public init(_ elf: ELFFile, for chip: Chip, flash: FlashSettings? = nil) throws(ImageError) {
        let expected: ELFFile.Machine = chip.isXtensa ? .xtensa : .riscV
        guard elf.machine == expected else {
            throw ImageError(
                .wrongChip, "ELF file",
                "expected machine \(expected.rawValue) (\(expected), \(chip.name)), "
                    + "got \(elf.machine.rawValue) (\(elf.machine))")
        }
        guard !elf.sections.isEmpty else {
            throw ImageError(.invalidField, "ELF file", "expected sections with an address and content, got none")
        }
        self.init(for: chip, flash: flash, entryPoint: elf.entryPoint)
        for var section in Self.joined(elf.sections, for: chip) {
            let isApp = section.name == Self.appDescriptionSection && chip.memory.isMapped(section.address)
            if isApp {
                pageSize = Self.pageSize(of: section, for: chip)
                if section.data.count >= AppDescription.length {
                    let start = section.data.startIndex + Self.digestOffset
                    section.data.replaceSubrange(start..<(start + AppDescription.hashLength), with: elf.digest)
                }
            }
            add(
                section.data, at: section.address,
                isFirst: isApp || section.name == Self.bootloaderDescriptionSection)
        }
    }

    /// Joins each section with the preceding one if they are adjacent in the same memory.
    private static func joined(_ sections: [ELFFile.Section], for chip: Chip) -> [ELFFile.Section] {
        var result: [ELFFile.Section] = []
        // As in esptool, sections are padded to words first: a section that ends less than a word before the next one
        // is joined to it, too.
        for var section in sections {
            section.data += repeatElement(0, count: (4 - section.data.count % 4) % 4)
            if let last = result.last, UInt64(last.address) + UInt64(last.data.count) == UInt64(section.address),
                chip.memory.region(of: last.address) == chip.memory.region(of: section.address)
            {
                result[result.count - 1].data += section.data
            } else {
                result.append(section)
            }
        }
        return result
    }

    /// The size of the cache's pages that an application was linked for: by its description, or by its address.
    private static func pageSize(of section: ELFFile.Section, for chip: Chip) -> UInt32 {
        let sizes = chip.flashPageSizes
        guard sizes.count > 1 else { return MemoryMap.flashPageSize }
        // The logarithm of the size follows the digest and the revisions of the eFuse blocks.
        if let logarithm = section.data.dropFirst(digestOffset + AppDescription.hashLength + 4).first,
            let named = sizes.first(where: { $0 == UInt32(1) << UInt32(min(logarithm, 31)) })
        {
            return named
        }
        let headers = UInt32(ImageHeader.length + ImageSegment.headerLength)
        return sizes.last { (section.address &- headers) % $0 == 0 } ?? MemoryMap.flashPageSize
    }
}

extension Chip {
    /// True if its processors are Xtensa; the others are RISC-V.
    var isXtensa: Bool { [Chip.esp32, .esp32s2, .esp32s3].contains(self) }

    /// The sizes that a page of the flash cache may have, ascending, in bytes.
    var flashPageSizes: [UInt32] {
        switch self {
        case .esp32c2: [0x4000, 0x8000, 0x1_0000]
        case .esp32c6, .esp32h2: [0x2000, 0x4000, 0x8000, 0x1_0000]
        default: [MemoryMap.flashPageSize]
        }
    }
}

extension MemoryMap {
    /// The number of the memory that contains `address`; `nil` if no memory does.
    func region(of address: UInt32) -> Int? {
        ([flashData, flashInstructions] + ram).firstIndex { $0.contains(address) }
    }
}
