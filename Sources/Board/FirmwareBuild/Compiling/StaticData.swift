import ESPImage

/// The static data of a sketch and its libraries: the variables that a chip's linker places in its data memory.
///
/// The sizes are those of the host's objects: on a 32-bit host the chip's. As there, each variable has a section of its own,
/// and the linker leaves out what nothing refers to (but not in a program that checks itself with sanitizers).
struct StaticData: Sendable {
    /// A variable.
    struct Variable: Sendable {
        /// Its symbol, as the compiler names it.
        var symbol: String
        var size: Int
        /// The file with its definition.
        var source: String
        /// True if it is in `.data`, false if it is in `.bss`.
        var isInitialized: Bool
        var place: Place
    }

    /// A section of an object file.
    struct Place: Hashable, Sendable {
        var object: String
        var section: String
    }

    /// The ESP32's region `dram0_0_seg` with Bluetooth: ESP-IDF's `memory.ld.in`, 0x2C200 bytes less the 0xDB5C of the
    /// controller.
    static let region = 0x2C200 - 0xDB5C
    /// The static data of arduino-esp32's core and ESP-IDF, with NimBLE (`HeapRegions.cpp`: they end at 0x3FFC5D70) and
    /// without ("Global variables use 22172 bytes" of a sketch that does nothing, arduino-esp32 2 and 3).
    private static let core = (withNimBLE: 0x3FFC_5D70 - 0x3FFB_DB5C, without: 22_000)
    /// How much of that is initialised, about.
    private static let initializedCore = 12_000

    private(set) var usesNimBLE = false
    private var variables: [Variable] = []
    private var shared: Set<String> = []

    /// All of it, in bytes.
    var total: Int { variables.reduce(0) { $0 + $1.size } }

    /// The number of bytes by which the region is too small; 0 when all fits.
    var overflow: Int { max(0, total + coreSize - Self.region) }

    private var coreSize: Int { usesNimBLE ? Self.core.withNimBLE : Self.core.without }

    /// Adds the variables of the object file at `path`, which has these bytes and was compiled from `source`.
    ///
    /// - Throws: `ImageError` when it is no ELF file, or is damaged.
    mutating func add(_ object: [UInt8], at path: String, source: String) throws(ImageError) {
        let symbols = try ObjectSymbols(object)
        for symbol in symbols.all {
            if symbol.section == ObjectSymbols.Symbol.undefined {
                if !usesNimBLE, symbols.name(symbol).contains("NimBLE") { usesNimBLE = true }
                continue
            }
            guard symbol.isVariable, symbol.size > 0, let isInitialized = Self.isInitialized(symbol, symbols) else {
                continue
            }
            let name = symbols.name(symbol)
            // If several files define a variable, such as an inline variable, the linker keeps one copy.
            guard !symbol.isShared || shared.insert(name).inserted else { continue }
            let section = symbols.section(symbol)?.name ?? ""
            variables.append(
                Variable(
                    symbol: name, size: symbol.size, source: source, isInitialized: isInitialized,
                    place: Place(object: path, section: section)))
        }
    }

    /// The data without the sections that the linker has left out, by its output with `--print-gc-sections`.
    func remaining(_ output: String) -> StaticData {
        var removed: Set<Place> = []
        for line in output.split(whereSeparator: \.isNewline) {
            guard let start = line.firstRange(of: Self.removal)?.upperBound else { continue }
            let parts = line[start...].split(separator: "'")
            if parts.count == 3 { removed.insert(Place(object: String(parts[2]), section: String(parts[0]))) }
        }
        var data = self
        data.variables.removeAll { removed.contains($0.place) }
        return data
    }

    /// The linker's message, before a section's name in quotation marks and the object file's.
    static let removal = "removing unused section "

    /// The largest variables.
    var largest: [Variable] { Array(variables.sorted { $0.size > $1.size }.prefix(3)) }

    /// The messages of the chip's linker when the data of `sketch` do not fit, and the places of the largest variables.
    /// `names`: the names of ``largest`` in the source.
    func messages(_ sketch: String, names: [String]) -> String {
        let program = "\(sketch).ino.elf"
        let initialized = variables.filter(\.isInitialized).reduce(0) { $0 + $1.size }
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
    private static func isInitialized(_ symbol: ObjectSymbols.Symbol, _ symbols: ObjectSymbols) -> Bool? {
        if symbol.section == ObjectSymbols.Symbol.common { return false }
        // SHF_WRITE and SHF_ALLOC, not SHF_TLS.
        guard let (header, name) = symbols.section(symbol), header.flags & 0x403 == 3 else { return nil }
        if name == ".bss" || name.hasPrefix(".bss.") { return false }
        let isData = name == ".data" || name.hasPrefix(".data.") && !name.hasPrefix(".data.rel.ro")
        return isData ? true : nil
    }
}
