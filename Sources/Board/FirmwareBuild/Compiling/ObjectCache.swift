/// Compiled files by the content of their sources, with the contents of the headers that they include.
struct ObjectCache: Sendable {
    /// A compiled file.
    struct Object: Sendable {
        var path: String
        /// Identifies everything that it was made of.
        var identity: String
        /// The files that it was made of, and their hashes.
        var inputs: [(path: String, hash: String)]
        var libraries: [CompileUnit.NeededLibrary]
        var warnings = ""
        var wasCached = true
    }

    let folder: String
    let fingerprint: String
    let nimble: NimBLE
    let hashes: FileHashes
    let seals: CacheSeals
    /// The folders of headers that the fingerprint stands for.
    let excluded: [String]

    /// The key of `unit`: of everything but the contents of the headers that it includes.
    func key(_ unit: CompileUnit) throws(FirmwareBuildError) -> String {
        var hash = ContentHash()
        hash.add(fingerprint)
        hash.add(unit.owner == .sketch ? "sketch" : "library")
        hash.add(nimble.suffix)
        unit.includeFolders.forEach { hash.add($0) }
        hash.add(flags: unit.flags)
        unit.surroundings.forEach { hash.add($0) }
        guard let contents = hashes.hash(of: unit.source) else {
            // The reason.
            try hash.add(contentsOf: unit.source)
            return hash.text
        }
        hash.add(unit.source)
        hash.add(contents)
        return hash.text
    }

    /// The object with `key`, if the headers are as they were, and `index` answers as it did.
    func object(_ key: String, _ index: LibraryIndex) -> Object? {
        let entry = "\(folder)/\(key)"
        guard seals.isGenuine(entry + "/inputs"), let text = try? FileTree.text(of: entry + "/inputs"),
            seals.isGenuine(entry + "/object.o")
        else { return nil }
        var identity = ContentHash()
        identity.add(key)
        var object = Object(path: entry + "/object.o", identity: "", inputs: [], libraries: [])
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { return nil }
            identity.add(fields[1])
            identity.add(fields[2])
            switch fields[0] {
            case "file":
                guard hashes.hash(of: fields[2]) == fields[1] else { return nil }
                object.inputs.append((fields[2], fields[1]))
            case "library":
                guard case .library(let library) = index.answer(for: fields[1]), library.folder == fields[2] else {
                    return nil
                }
                object.libraries.append(CompileUnit.NeededLibrary(header: fields[1], library: library))
            default: return nil
            }
        }
        object.identity = identity.text
        FileTree.touch(entry)
        return object
    }

    /// The headers that the compiler listed in `dependencies`.
    private func headers(of unit: CompileUnit, _ dependencies: String) throws(FirmwareBuildError) -> [String] {
        DependencyFile.paths(try FileTree.contents(of: dependencies)).filter { path in
            path != unit.source && !excluded.contains { path.hasPrefix($0 + "/") }
        }
    }

    /// Whether the compiler has read what the hashes stand for: no file was changed since the build began.
    func areSettled(_ unit: CompileUnit, dependencies: String) throws(FirmwareBuildError) -> Bool {
        let headers = try headers(of: unit, dependencies)
        for header in headers { _ = hashes.hash(of: header) }
        return hashes.areSettled(headers + (unit.isWritten ? [] : [unit.source]))
    }

    /// Stores the object at `temporary`, whose dependencies the compiler wrote to `dependencies`, under `key`.
    func store(
        _ key: String, object temporary: String, dependencies: String, _ unit: CompileUnit, _ index: LibraryIndex
    ) throws(FirmwareBuildError) -> Object? {
        let paths = try headers(of: unit, dependencies)
        var lines = unit.libraries.map { "library\t\($0.header)\t\($0.library.folder)\n" }
        for path in Set(paths).sorted() {
            guard !path.contains(where: { $0 == "\n" || $0 == "\t" }), let hash = hashes.hash(of: path) else {
                continue
            }
            lines.append("file\t\(hash)\t\(path)\n")
        }
        let entry = "\(folder)/\(key)"
        try FileTree.makeFolder(entry)
        try FileTree.move(temporary, to: entry + "/object.o")
        try seals.seal(entry + "/object.o")
        // Written last: an entry with it is complete.
        try FileTree.write(lines.joined(), to: entry + "/inputs")
        try seals.seal(entry + "/inputs")
        var object = object(key, index)
        object?.wasCached = false
        return object
    }
}

/// A compiler's list of the files that an object depends on, in make's syntax.
enum DependencyFile {
    /// The paths behind the first colon. A space in a path is escaped with a backslash, a dollar sign doubled.
    static func paths(_ text: [UInt8]) -> [String] {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return [] }
        var paths: [String] = []
        var path: [UInt8] = []
        var index = colon + 1
        func next() -> UInt8? { index + 1 < text.count ? text[index + 1] : nil }
        func end() {
            if !path.isEmpty { paths.append(String(decoding: path, as: UTF8.self)) }
            path = []
        }
        while index < text.count {
            switch text[index] {
            case .backslash where next() == .newline:
                end()
                index += 1
            case .backslash where next() == .space || next() == UInt8(ascii: "#") || next() == UInt8(ascii: ":"):
                path.append(text[index + 1])
                index += 1
            case UInt8(ascii: "$") where next() == UInt8(ascii: "$"):
                path.append(text[index])
                index += 1
            case .newline, .space: end()
            default: path.append(text[index])
            }
            index += 1
        }
        end()
        return paths
    }
}
