import BenchProject

/// Files that exist only in a test, in the folders that their paths name; a path that ends with `/` is an empty folder.
struct MemoryFiles: ProjectFiles {
    /// The text of each file by its absolute path.
    var texts: [String: String]
    /// Folders and files that cannot be read.
    var unreadable: Set<String> = []
    /// Symbolic links to folders: what they point to.
    var links: [String: String] = [:]

    init(_ texts: [String: String]) {
        self.texts = texts
    }

    private func resolved(_ path: String) -> String {
        guard let link = links.keys.first(where: { path == $0 || path.hasPrefix($0 + "/") }) else { return path }
        return resolved(links[link, default: ""] + path.dropFirst(link.count))
    }

    func kind(of path: String) -> FileKind? {
        let path = resolved(path)
        if texts[path] != nil, !path.hasSuffix("/") { return .file }
        let folder = path.hasSuffix("/") ? path : path + "/"
        return texts.keys.contains { $0.hasPrefix(folder) } ? .folder : nil
    }

    func entries(in folder: String) throws(FileFault) -> [FileEntry] {
        let real = resolved(folder)
        guard !unreadable.contains(real) else { throw FileFault("Permission denied") }
        guard kind(of: real) == .folder else { throw FileFault("No such file or directory") }
        let prefix = real == "/" ? "/" : real + "/"
        let names = (Array(texts.keys) + links.keys).filter { $0.hasPrefix(prefix) }.compactMap {
            $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
        }
        var entries: [FileEntry] = []
        for name in Set(names) {
            if let kind = kind(of: prefix + name) { entries.append(FileEntry(name: name, kind: kind)) }
        }
        return entries
    }

    func text(of path: String) throws(FileFault) -> String {
        let path = resolved(path)
        guard !unreadable.contains(path) else { throw FileFault("Permission denied") }
        switch kind(of: path) {
        case .file: return texts[path, default: ""]
        case .folder: throw FileFault("Is a directory")
        default: throw FileFault("No such file or directory")
        }
    }

    func realPath(_ path: String) -> String? {
        let real = resolved(path)
        return kind(of: real) == nil ? nil : real
    }
}

extension ProjectFinder {
    /// What an error of finding something says.
    static func fault(_ body: () throws(ProjectError) -> Any) -> String {
        do throws(ProjectError) {
            return "found \(try body())"
        } catch {
            return error.description
        }
    }
}
