import ESPImage

/// The files of the host core that a program needs: those that define what its objects refer to, as a linker takes them
/// from a library. They are not compiled yet, so that their definitions are found in their text.
struct CoreDemand {
    /// The files by the names that they define, in the forms of ``names(of:)``.
    private var definitions: [String: [String]] = [:]
    /// The same of statements, which define variables but also declare functions of other files.
    private var statements: [String: [String]] = [:]
    private var defined: Set<String> = []
    private var referred: Set<String> = []

    /// The names in `files`, which are paths and texts.
    init(_ files: [(path: String, text: [UInt8])]) {
        for file in files {
            for name in Self.names(in: file.text, ofStatements: false) {
                definitions[name, default: []].append(file.path)
            }
            for name in Self.names(in: file.text, ofStatements: true) {
                statements[name, default: []].append(file.path)
            }
        }
    }

    /// Adds an object of the program.
    ///
    /// - Throws: `ImageError` when it is no ELF file, or is damaged.
    mutating func add(_ object: [UInt8]) throws(ImageError) {
        let symbols = try ObjectSymbols(object)
        for symbol in symbols.all where !symbol.isLocal {
            if symbol.section != ObjectSymbols.Symbol.undefined {
                defined.insert(symbols.name(symbol))
            } else if symbol.isGlobal {
                // A weak reference needs no definition.
                referred.insert(symbols.name(symbol))
            }
        }
    }

    /// The files that may define what the objects refer to and do not define, without those in `present`.
    func needed(besides present: Set<String>) -> Set<String> {
        var needed: Set<String> = []
        for symbol in referred.subtracting(defined) {
            guard let name = Self.name(of: symbol) else { continue }
            let files = (definitions[name] ?? []).filter { !present.contains($0) }
            needed.formUnion(files.isEmpty ? (statements[name] ?? []).filter { !present.contains($0) } : files)
        }
        return needed
    }

    // MARK: Names

    /// The names that the lines of `text` declare: those before a parenthesis, bracket or `=` in lines that begin in the
    /// first column, as all definitions of the formatted host core do. That a few others are among them only lets a file
    /// be compiled that is not needed.
    private static func names(in text: [UInt8], ofStatements: Bool) -> Set<String> {
        var (names, namespaces): (Set<String>, Set<String>) = ([], [])
        for line in text.split(separator: .newline) where isWord(line[line.startIndex]) {
            let code = line.prefix(while: { $0 != UInt8(ascii: "/") })
            let isStatement = code.last { $0 != .space } == UInt8(ascii: ";")
            guard isStatement == ofStatements else { continue }
            if code.starts(with: "namespace ".utf8) {
                namespaces.insert(String(decoding: code.dropFirst(10).prefix(while: isWord), as: UTF8.self))
            }
            // The words that `::` joins, without the `~` of a destructor.
            var chain: [String] = []
            var index = code.startIndex
            while index < code.endIndex {
                if isWord(code[index]) {
                    chain.append(String(decoding: code[index...].prefix(while: isWord), as: UTF8.self))
                    index += chain[chain.count - 1].utf8.count
                }
                if code[index...].starts(with: "::".utf8) {
                    if let scope = chain.last { names.insert(scope + "::") }
                    index += code[index...].starts(with: "::~".utf8) ? 3 : 2
                    continue
                }
                if let last = chain.last {
                    let next = code[index...].first { $0 != .space } ?? .newline
                    if "([{=;".utf8.contains(next) || last == "operator" {
                        names.insert(chain.suffix(2).joined(separator: "::"))
                    }
                    chain = []
                } else {
                    index += 1
                }
            }
        }
        // Without the scope: in the scope of a namespace, too.
        let inside = namespaces.flatMap { space in names.filter { !$0.contains(":") }.map { "\(space)::\($0)" } }
        return names.union(inside)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The name by which a file defines `symbol` (Itanium C++ ABI, "External Names"): `f` for `_Z1fv` and `f`, `C::f`
    /// for `_ZN1C1fEv`, `C::` for C's constructors, operators and virtual table; `nil` for names of the C++ library.
    static func name(of symbol: String) -> String? {
        guard symbol.hasPrefix("_Z") else { return symbol }
        var rest = symbol.dropFirst(2)
        // TV, TT, TI and TS: the tables and the type information of a class.
        let isOfClass = rest.first == "T"
        if isOfClass { rest = rest.dropFirst(2) }
        let isNested = rest.first == "N"
        // The qualifiers of a member function.
        if isNested { rest = rest.dropFirst().drop { "rVKRO".contains($0) } }
        var words: [Substring] = []
        while let length = Int(rest.prefix(while: \.isNumber)), isNested || words.isEmpty {
            words.append(rest.drop(while: \.isNumber).prefix(length))
            rest = rest.drop(while: \.isNumber).dropFirst(length)
            // A tag, such as that of the C++ library's version.
            if rest.first == "B", let tag = Int(rest.dropFirst().prefix(while: \.isNumber)) {
                rest = rest.dropFirst().drop(while: \.isNumber).dropFirst(tag)
            }
        }
        guard let last = words.last else { return rest.first?.isLowercase == true ? "operator" : nil }
        if isOfClass || isNested && rest.first != "E" { return "\(last)::" }
        return words.suffix(2).joined(separator: "::")
    }
}
