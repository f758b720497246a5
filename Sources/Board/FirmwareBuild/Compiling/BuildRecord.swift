/// What the last build of a sketch was made of, and the program that came of it.
struct BuildRecord: Sendable {
    /// The sketch's folder in the cache.
    let folder: String
    let programs: String
    /// The NimBLE of the build.
    let nimble: NimBLE
    let seals: CacheSeals

    private var path: String { folder + "/inputs" }

    /// The last build, if it was made under the same conditions and no file has changed.
    func current(_ conditions: String, _ hashes: FileHashes, _ index: LibraryIndex) -> CompiledSketch? {
        guard seals.isGenuine(path), let text = try? FileTree.text(of: path) else { return nil }
        var lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }[...]
        guard lines.popFirst() == ["conditions", conditions], let program = lines.popFirst(), program.count == 2 else {
            return nil
        }
        var built = compiled(program[1])
        built.isCached = true
        guard seals.isGenuine(built.program), FileTree.hasContent(built.symbols) else { return nil }
        for line in lines {
            guard line.count == 3 else { return nil }
            if line[0] == "library" {
                guard let library = index.libraries.first(where: { $0.folder == line[2] }),
                    Self.files(of: library) == line[1]
                else { return nil }
                built.libraries.append(CompiledSketch.UsedLibrary(title: library.title, folder: library.folder))
            } else if hashes.hash(of: line[2]) != line[1] {
                return nil
            }
        }
        FileTree.touch(folder)
        FileTree.touch("\(programs)/\(program[1])")
        return built
    }

    /// The program in the folder `name`.
    func compiled(_ name: String) -> CompiledSketch {
        CompiledSketch(
            program: "\(programs)/\(name)/program", symbols: "\(programs)/\(name)/program.elf", warnings: "",
            isCached: false, nimble: nimble.title, libraries: [])
    }

    /// Identifies the files of `library` by their paths: one may be added, also of its headers.
    private static func files(of library: Library) -> String {
        var hash = ContentHash()
        ((try? library.sourceFiles()) ?? []).forEach { hash.add($0) }
        ((try? library.headerFiles()) ?? []).forEach { hash.add($0) }
        return hash.text
    }

    /// Stores what `program` was made of.
    func store(
        _ conditions: String, program name: String, _ libraries: [Library], inputs: [String: String]
    ) throws(FirmwareBuildError) {
        var lines = ["conditions\t\(conditions)\n", "program\t\(name)\n"]
        lines += libraries.map { "library\t\(Self.files(of: $0))\t\($0.folder)\n" }
        lines += inputs.sorted { $0.key < $1.key }.map { "file\t\($0.value)\t\($0.key)\n" }
        try FileTree.write(lines.joined(), to: path)
        try seals.seal(path)
    }
}
