import ESPImage

/// The symbol table of an object file (System V ABI, "Symbol Table").
struct ObjectSymbols: Sendable {
    /// An entry of the table.
    struct Symbol: Sendable {
        /// The section number of names that are not defined in the file.
        static let undefined = 0
        /// The section number of variables without one.
        static let common = 0xFFF2

        /// The offset of its name in the table of names.
        fileprivate let nameOffset: Int
        let size: Int
        let section: Int
        private let info: UInt8

        /// `bytes`: a whole entry.
        fileprivate init(_ bytes: ArraySlice<UInt8>, is64: Bool) {
            func number(_ offset: Int, _ size: Int) -> Int {
                let field = bytes.dropFirst(offset).prefix(size)
                return Int(clamping: field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            }
            nameOffset = number(0, 4)
            info = UInt8(number(is64 ? 4 : 12, 1))
            section = number(is64 ? 6 : 14, 2)
            // Limited, so that the sum of all sizes cannot overflow: no object file that is read has as many bytes.
            size = min(number(is64 ? 16 : 8, is64 ? 8 : 4), 1 << 32)
        }

        /// `STT_OBJECT` or `STT_COMMON`.
        var isVariable: Bool { [1, 5].contains(info & 15) }
        /// `STB_GLOBAL`: seen by other files, and not weak.
        var isGlobal: Bool { info >> 4 == 1 }
        /// `STB_LOCAL`.
        var isLocal: Bool { info >> 4 == 0 }
        /// `STB_WEAK` or `STB_GNU_UNIQUE`.
        var isShared: Bool { [2, 10].contains(info >> 4) }
    }

    /// The file's sections.
    let file: ELFSections
    /// The symbols in the order of the file.
    let all: [Symbol]
    private let names: ArraySlice<UInt8>
    private let sectionNames: ArraySlice<UInt8>

    /// The symbols of `object`; none if it has no table.
    ///
    /// - Throws: `ImageError` when it is no ELF file, or is damaged.
    init(_ object: [UInt8]) throws(ImageError) {
        file = try ELFSections(object)
        guard let table = file.headers.first(where: { $0.type == ELFSections.symbols }),
            file.headers.indices.contains(file.nameIndex),
            let link = file.headers.dropFirst(Int(clamping: table.link)).first
        else {
            (all, names, sectionNames) = ([], [], [])
            return
        }
        let entries = try file.content(of: table)
        names = try file.content(of: link)
        sectionNames = try file.content(of: file.headers[file.nameIndex])
        let (size, is64) = (file.is64 ? 24 : 16, file.is64)
        all = stride(from: entries.startIndex, through: entries.endIndex - size, by: size).map {
            Symbol(entries[$0..<$0 + size], is64: is64)
        }
    }

    /// The name of `symbol`, as the compiler writes it.
    func name(_ symbol: Symbol) -> String { Self.text(names, symbol.nameOffset) }

    /// The header and the name of the section with `symbol`; `nil` for one outside the sections.
    func section(_ symbol: Symbol) -> (header: ELFSections.Header, name: String)? {
        guard file.headers.indices.contains(symbol.section) else { return nil }
        let header = file.headers[symbol.section]
        return (header, Self.text(sectionNames, Int(clamping: header.name)))
    }

    private static func text(_ table: ArraySlice<UInt8>, _ offset: Int) -> String {
        String(decoding: table.dropFirst(offset).prefix { $0 != 0 }, as: UTF8.self)
    }
}
