import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system in which projects are searched.
public protocol ProjectFiles: Sendable {
    /// The kind of the file at `path`, after symbolic links; `nil`: no such file, or a broken link.
    func kind(of path: String) -> FileKind?
    /// The entries of a folder, in any order.
    ///
    /// - Throws: ``FileFault`` when the folder cannot be read.
    func entries(in folder: String) throws(FileFault) -> [FileEntry]
    /// The text of a file.
    ///
    /// - Throws: ``FileFault`` when it cannot be read.
    func text(of path: String) throws(FileFault) -> String
    /// `path` with symbolic links resolved: equal for all names of one folder. `nil`: no such file.
    func realPath(_ path: String) -> String?
}

/// The kind of a file.
public enum FileKind: Hashable, Sendable {
    case file
    case folder
    /// A device, a pipe or a socket.
    case other
}

/// An entry of a folder.
public struct FileEntry: Hashable, Sendable {
    /// The entry's name in the folder.
    public var name: String
    /// The kind of the file, after symbolic links.
    public var kind: FileKind

    /// An entry.
    public init(name: String, kind: FileKind) {
        self.name = name
        self.kind = kind
    }
}

/// Why a file or folder could not be read.
public struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's reason, e.g. "Permission denied".
    public var description: String

    /// A fault with the system's reason.
    public init(_ description: String) {
        self.description = description
    }
}

/// A path in a project's file, in which `*`, `?` and `[…]` match parts of names, and `**` any folders.
struct PathPattern {
    let text: String

    /// True if the pattern may match several paths.
    var isGlob: Bool { text.contains { "*?[".contains($0) } }

    /// The existing paths that match, in order of name; relative patterns are resolved in `folder`.
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
