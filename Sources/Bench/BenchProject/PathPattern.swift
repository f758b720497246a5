import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A path in a project's file, in which `*`, `?` and `[…]` match parts of names, and `**` any folders.
struct PathPattern {
    let text: String

    /// Whether the pattern may match several paths.
    var isGlob: Bool { text.contains { "*?[".contains($0) } }

    /// The existing paths that match, relative ones in `folder`; in order of name.
    func matches(in folder: FilePath, _ files: any ProjectFiles) throws(ProjectError) -> [FilePath] {
        let path = folder.pushing(FilePath(text)).lexicallyNormalized()
        guard isGlob else { return files.kind(of: path.string) == nil ? [] : [path] }
        var found = [FilePath(root: path.root, [])]
        for component in path.components {
            var next: [FilePath] = []
            for folder in found {
                if component.string == "**" {
                    try FolderWalk(files: files).visit(folder) { (inner, entries) throws(ProjectError) in
                        next.append(inner)
                        return entries.map(\.name)
                    }
                } else if component.string.contains(where: { "*?[".contains($0) }) {
                    next += ((try? files.entries(in: folder.string)) ?? []).map(\.name).sorted().filter {
                        fnmatch(component.string, $0, FNM_PERIOD) == 0
                    }.map { folder.appending($0) }
                } else if files.kind(of: folder.appending(component).string) != nil {
                    next.append(folder.appending(component))
                }
            }
            found = next
        }
        return found
    }
}
