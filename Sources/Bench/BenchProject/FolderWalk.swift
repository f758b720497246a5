import SystemPackage

/// A walk through a folder and the folders below it, the nearest first and then by name.
///
/// Hidden folders are left out. Symbolic links are followed; each folder is visited once, also when links form a circle.
struct FolderWalk {
    /// Below this depth nothing is looked for.
    static let maximumDepth = 10
    /// A folder with more is no project, but e.g. a home folder.
    static let maximumFolders = 10_000

    let files: any ProjectFiles

    /// Calls `body` with each folder and its entries in order of name; it returns the names of the folders to visit.
    ///
    /// - Throws: ``ProjectError`` when `root` cannot be read, or there are too many folders. Folders below it that
    ///   cannot be read are left out.
    func visit(
        _ root: FilePath, _ body: (_ folder: FilePath, _ entries: [FileEntry]) throws(ProjectError) -> [String]
    ) throws(ProjectError) {
        var level = [root]
        var visited: Set<String> = []
        for depth in 0...Self.maximumDepth where !level.isEmpty {
            var next: [FilePath] = []
            for folder in level {
                guard let real = files.realPath(folder.string), visited.insert(real).inserted else { continue }
                guard visited.count <= Self.maximumFolders else {
                    throw ProjectError(
                        .noProject,
                        "more than \(Self.maximumFolders) folders below \(root): expected a project; name its sketches and suites in an \(ProjectFile.names[0])"
                    )
                }
                let entries: [FileEntry]
                do throws(FileFault) {
                    entries = try files.entries(in: folder.string).sorted { $0.name < $1.name }
                } catch {
                    if depth == 0 { throw ProjectError(.fileSystem, "\(root) could not be read: \(error)") }
                    continue
                }
                let wanted = Set(try body(folder, entries))
                next += entries.filter { $0.kind == .folder && !$0.name.hasPrefix(".") && wanted.contains($0.name) }
                    .map { folder.appending($0.name) }
            }
            level = next
        }
    }
}
