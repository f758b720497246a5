import ByteCodec

/// The header of a little-endian ELF file of 32 or 64 bits, and the headers of its sections.
///
/// Source: System V ABI, "Object Files".
public struct ELFSections: Sendable {
    /// The header of a section.
    public struct Header: Hashable, Sendable {
        /// Where its name is in the section of names.
        public let name: UInt64
        /// Its type, `SHT_…`.
        public let type: UInt64
        /// Its flags, `SHF_…`.
        public let flags: UInt64
        /// Its first address.
        public let address: UInt64
        /// Where its content is in the file.
        public let offset: UInt64
        /// Its length, in bytes.
        public let size: UInt64
        /// The index of another section: of a symbol table its names.
        public let link: UInt64
    }

    /// The first four bytes.
    public static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    /// `SHT_PROGBITS`: content of the program.
    public static let programBits: UInt64 = 1
    /// `SHT_SYMTAB`: the symbols.
    public static let symbols: UInt64 = 2

    /// Whether its addresses have 64 bits.
    public let is64: Bool
    /// The machine, by its number in the ABI's registry.
    public let machine: UInt16
    /// The entry point.
    public let entryPoint: UInt64
    /// The headers, in the order of the file.
    public let headers: [Header]
    /// The index of the section of names, which may be none.
    public let nameIndex: Int
    private let file: [UInt8]

    /// Parses the headers of `file`.
    ///
    /// - Throws: ``ImageError`` with code `badMagic` when it is no ELF file, `invalidField` when it is big-endian or has
    ///   no section headers, `truncated` when they are missing.
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
            // The last byte of the header, which the last one of a truncated file does not have.
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
