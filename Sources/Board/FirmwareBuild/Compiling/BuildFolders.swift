/// The folders of a cache of builds.
struct BuildFolders: Sendable {
    let cache: String

    /// The file whose lock tells builds and pruning apart.
    var lock: String { cache + "/lock" }

    /// The compiled host core of a toolchain.
    func core(_ fingerprint: String) -> String { "\(cache)/core-\(fingerprint)" }

    /// The compiled files of sketches and libraries, a folder each.
    var objects: String { cache + "/objects" }

    /// The programs, a folder each, named after their contents.
    var programs: String { cache + "/programs" }

    /// The last build of each sketch: its flash image, and what it was made of.
    var sketches: String { cache + "/sketches" }

    /// The folder of `sketch`, built as `variant` names: two of one name in different folders have their own.
    func folder(of sketch: Sketch, variant: String) -> String {
        var hash = ContentHash()
        hash.add(FileTree.realPath(sketch.folder) ?? sketch.folder)
        return "\(sketches)/\(sketch.name)-\(hash.text.prefix(8))\(variant)"
    }
}
