import ESPImage

/// The static data of a sketch and its libraries: the variables that a chip's linker places in its data memory.
///
/// The sizes are those of the host's objects: on a 32-bit host the chip's. Variables that nothing refers to are counted,
/// too, although the chip's linker leaves them out.
struct StaticData: Sendable {
    /// A variable.
    struct Variable: Sendable {
        /// Its symbol, as the compiler names it.
        var symbol: String
        var size: Int
        /// The file with its definition.
        var source: String
    }

    /// The ESP32's region `dram0_0_seg` with Bluetooth: ESP-IDF's `memory.ld.in`, 0x2C200 bytes less the 0xDB5C of the
    /// controller.
    static let region = 0x2C200 - 0xDB5C
    /// The static data of arduino-esp32's core and ESP-IDF, with NimBLE (`HeapRegions.cpp`: they end at 0x3FFC5D70) and
    /// without ("Global variables use 22172 bytes" of a sketch that does nothing, arduino-esp32 2 and 3).
    private static let core = (withNimBLE: 0x3FFC_5D70 - 0x3FFB_DB5C, without: 22_000)
    /// How much of that is initialised, about.
    private static let initializedCore = 12_000

    /// Bytes in `.data`.
    private(set) var initialized = 0
    /// Bytes in `.bss`.
    private(set) var zeroed = 0
    private(set) var usesNimBLE = false
    private var variables: [Variable] = []
    private var shared: Set<String> = []

    /// All of it, in bytes.
    var total: Int { initialized + zeroed }

    /// The number of bytes by which the region is too small; 0 when all fits.
    var overflow: Int { max(0, total + coreSize - Self.region) }

    private var coreSize: Int { usesNimBLE ? Self.core.withNimBLE : Self.core.without }

    /// Adds the variables of an object file that was compiled from `source`.
    ///
    /// - Throws: `ImageError` when it is no ELF file, or is damaged.
    mutating func add(_ object: [UInt8], source: String) throws(ImageError) {
        let file = try ELFSections(object)
        guard let table = file.headers.first(where: { $0.type == ELFSections.symbols }),
            file.headers.indices.contains(file.nameIndex),
            let link = file.headers.dropFirst(Int(clamping: table.link)).first
        else { return }
        let symbols = try file.content(of: table)
        let names = try file.content(of: link)
        let sectionNames = try file.content(of: file.headers[file.nameIndex])
        let size = file.is64 ? 24 : 16
        for start in stride(from: symbols.startIndex, through: symbols.endIndex - size, by: size) {
            let symbol = Symbol(symbols[start..<start + size], is64: file.is64)
            if symbol.section == Symbol.undefined {
                if !usesNimBLE, Self.text(names, symbol.name).contains("NimBLE") { usesNimBLE = true }
                continue
            }
            guard symbol.isVariable, symbol.size > 0,
                let isInitialized = Self.isInitialized(symbol, file.headers, sectionNames)
            else { continue }
            let name = Self.text(names, symbol.name)
            // If several files define a variable, such as an inline variable, the linker keeps one copy.
            guard !symbol.isShared || shared.insert(name).inserted else { continue }
            if isInitialized { initialized += symbol.size } else { zeroed += symbol.size }
            variables.append(Variable(symbol: name, size: symbol.size, source: source))
        }
    }

    /// The largest variables.
    var largest: [Variable] { Array(variables.sorted { $0.size > $1.size }.prefix(3)) }

    /// The messages of the chip's linker when the data of `sketch` do not fit, and the places of the largest variables.
    /// `names`: the names of ``largest`` in the source.
    func messages(_ sketch: String, names: [String]) -> String {
        let program = "\(sketch).ino.elf"
        let isDataTooLong = initialized + Self.initializedCore > Self.region
        var lines = ((isDataTooLong ? [".dram0.data"] : []) + [".dram0.bss"]).map {
            "ld: \(program) section `\($0)' will not fit in region `dram0_0_seg'"
        }
        lines += [
            "ld: DRAM segment data does not fit.", "ld: region `dram0_0_seg' overflowed by \(overflow) bytes",
            "Static data: \(total) bytes of the sketch and its libraries, about \(coreSize) of arduino-esp32 and ESP-IDF"
                + "\(usesNimBLE ? " with NimBLE" : ""); the ESP32 has room for \(Self.region).",
        ]
        for (variable, name) in zip(largest, names) {
            lines.append("\(variable.source): \(name) has \(variable.size) bytes")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// True if a symbol's section has initial values (`.data`), false if it has none (`.bss`); `nil` for sections
    /// outside this memory: constants, the RTC's memory, thread-local variables.
    private static func isInitialized(
        _ symbol: Symbol, _ headers: [ELFSections.Header], _ names: ArraySlice<UInt8>
    ) -> Bool? {
        if symbol.section == Symbol.common { return false }
        guard headers.indices.contains(symbol.section) else { return nil }
        let header = headers[symbol.section]
        // SHF_WRITE and SHF_ALLOC, not SHF_TLS.
        guard header.flags & 0x403 == 3 else { return nil }
        let name = text(names, Int(clamping: header.name))
        if name == ".bss" || name.hasPrefix(".bss.") { return false }
        let isData = name == ".data" || name.hasPrefix(".data.") && !name.hasPrefix(".data.rel.ro")
        return isData ? true : nil
    }

    private static func text(_ table: ArraySlice<UInt8>, _ offset: Int) -> String {
        String(decoding: table.dropFirst(offset).prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// An entry of an object file's symbol table (System V ABI, "Symbol Table").
private struct Symbol {
    static let undefined = 0
    static let common = 0xFFF2

    var name: Int
    var size: Int
    var section: Int
    private var info: UInt8

    /// `bytes`: a whole entry.
    init(_ bytes: ArraySlice<UInt8>, is64: Bool) {
        func number(_ offset: Int, _ size: Int) -> Int {
            let field = bytes.dropFirst(offset).prefix(size)
            return Int(clamping: field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        name = number(0, 4)
        info = UInt8(number(is64 ? 4 : 12, 1))
        section = number(is64 ? 6 : 14, 2)
        // Limited, so that the sum of all sizes cannot overflow: no object file that is read has as many bytes.
        size = min(number(is64 ? 16 : 8, is64 ? 8 : 4), 1 << 32)
    }

    /// `STT_OBJECT` or `STT_COMMON`.
    var isVariable: Bool { [1, 5].contains(info & 15) }
    /// `STB_WEAK` or `STB_GNU_UNIQUE`.
    var isShared: Bool { [2, 10].contains(info >> 4) }
}
