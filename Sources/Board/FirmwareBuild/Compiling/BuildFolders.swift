/// The folders of a cache of builds.
struct BuildFolders: Sendable {
    let cache: String

    /// The file whose lock separates builds from pruning.
    var lock: String { cache + "/lock" }

    /// The compiled host core of a toolchain.
    func core(_ fingerprint: String) -> String { "\(cache)/core-\(fingerprint)" }

    /// The compiled files of sketches and libraries, a folder each.
    var objects: String { cache + "/objects" }

    /// The programs, a folder each, named after their contents.
    var programs: String { cache + "/programs" }

    /// The last build of each sketch: its flash image, and its inputs.
    var sketches: String { cache + "/sketches" }

    /// The folder of the build `variant` of `sketch`. Sketches of one name in different folders have different ones.
    func folder(of sketch: Sketch, variant: String) -> String {
        var hash = ContentHash()
        hash.add(FileTree.realPath(sketch.folder) ?? sketch.folder)
        return "\(sketches)/\(sketch.name)-\(hash.text.prefix(8))\(variant)"
    }
}

/// How far a build is.
public struct BuildProgress: Hashable, Sendable {
    /// The code that a build compiles. The host core is compiled once for each compiler and version of the core.
    public enum Subject: Hashable, Sendable {
        case hostCore
        /// Nothing: another build compiles the host core, and this one waits for it.
        case otherBuild
        case library(String)
        case sketch(String)
    }

    /// The code that is compiled.
    public var subject: Subject
    /// The number of its files that are compiled.
    public var completed: Int
    /// The number of its files that must be compiled; those of earlier builds are not counted.
    public var total: Int

    /// Progress of `subject`.
    public init(_ subject: Subject, completed: Int, of total: Int) {
        self.subject = subject
        self.completed = completed
        self.total = total
    }
}

/// The inputs of a sketch's last build, and the resulting program.
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
        guard let text = seals.contents(of: path).map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
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

    /// Identifies the files of `library` by their paths: a source or header may be added.
    private static func files(of library: Library) -> String {
        var hash = ContentHash()
        ((try? library.sourceFiles()) ?? []).forEach { hash.add($0) }
        ((try? library.headerFiles()) ?? []).forEach { hash.add($0) }
        return hash.text
    }

    /// Stores the inputs of `program`.
    func store(
        _ conditions: String, program name: String, _ libraries: [Library], inputs: [String: String]
    ) throws(FirmwareBuildError) {
        var lines = ["conditions\t\(conditions)\n", "program\t\(name)\n"]
        lines += libraries.map { "library\t\(Self.files(of: $0))\t\($0.folder)\n" }
        lines += inputs.sorted { $0.key < $1.key }.map { "file\t\($0.value)\t\($0.key)\n" }
        try seals.write(lines.joined(), to: path)
    }
}
