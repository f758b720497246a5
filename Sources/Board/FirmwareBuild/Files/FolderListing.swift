import PrivateFile
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileTree {
    /// An entry of a folder.
    struct Entry {
        enum Kind {
            case file, folder
            /// A device, a pipe or a socket.
            case special
            /// A symbolic link whose target does not exist.
            case missing
        }

        var name: String
        /// The kind of a symbolic link's target.
        var kind: Kind
    }

    /// The entries of `folder` in order of name, without hidden ones; empty when it does not exist.
    ///
    /// - Throws: ``FirmwareBuildError`` when it exists and cannot be read.
    static func entries(of folder: String) throws(FirmwareBuildError) -> [Entry] {
        guard let listed = FolderEntry.all(in: folder) else {
            let reason = Errno(rawValue: errno)
            if reason == .noSuchFileOrDirectory || reason == .notDirectory { return [] }
            throw FirmwareBuildError(.fileSystem, "the folder \(folder) could not be read: \(reason)")
        }
        var entries: [Entry] = []
        for name in listed.map(\.name) where !name.hasPrefix(".") {
            var status = stat()
            let path = "\(folder)/\(name)"
            let isThere = stat(path, &status) == 0
            // Removed since the folder was read, unless it is a link.
            guard isThere || lstat(path, &status) == 0 else { continue }
            let kind: Entry.Kind =
                switch status.st_mode & S_IFMT {
                case _ where !isThere: .missing
                case S_IFREG: .file
                case S_IFDIR: .folder
                default: .special
                }
            entries.append(Entry(name: name, kind: kind))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// A file that is neither regular nor a folder: reading it may never end.
    static let special = "a device, a pipe or a socket"

    /// The largest number of files below one folder: a symbolic link may lead to all files of the machine.
    private static let mostFiles = 10_000

    /// The files below `folder` at any depth, in order of path. Symbolic links are followed, also out of `folder`, as
    /// arduino-cli and PlatformIO do; a folder that contains itself through a link is entered once.
    ///
    /// - Throws: ``FirmwareBuildError`` when a folder cannot be read, when there are more than ``mostFiles``, and when
    ///   an entry with the name of a source is not a file.
    static func filesBelow(
        _ folder: String, isRecursive: Bool = true
    ) throws(FirmwareBuildError) -> [String] {
        var entered: Set<String> = []
        var files: [String] = []
        var pending = [folder]
        while let next = pending.popLast() {
            guard let real = realPath(next), entered.insert(real).inserted else { continue }
            for entry in try entries(of: next) {
                switch entry.kind {
                case .file: files.append("\(next)/\(entry.name)")
                case .folder: if isRecursive { pending.append("\(next)/\(entry.name)") }
                case .special, .missing:
                    guard SourceFiles.isSource(entry.name) else { continue }
                    let found = entry.kind == .special ? special : "a symbolic link to what is not there"
                    throw FirmwareBuildError(.fileSystem, "\(next)/\(entry.name): expected a file, got \(found)")
                }
            }
            guard files.count <= mostFiles else {
                throw FirmwareBuildError(
                    .fileSystem,
                    "\(folder): expected at most \(mostFiles) files below it, got more, the last ones in \(next): does a symbolic link lead out of the project?"
                )
            }
        }
        return files.sorted()
    }

    /// The path without symbolic links; `nil` when nothing is there.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// True if `path` is a file that is not empty: after a power loss, a file may be empty.
    static func hasContent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    }

    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// True if `path` is a device, a pipe or a socket.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension String {
    /// The part behind the last slash.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }

    /// The part before the last slash.
    var folderPath: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The extension of a file's name without the dot, `""` without one.
    var fileExtension: String {
        let name = fileName
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }
}
