import FirmwareBuild
import PrivateFile
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The machine's files.
package struct SystemFiles: ProjectFiles {
    package init() {}

    package func kind(of path: String) -> FileKind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    package func entries(in folder: String) throws(FileFault) -> [FileEntry] {
        guard let entries = FolderEntry.all(in: folder) else {
            throw FileFault(Errno(rawValue: errno).description)
        }
        return entries.map { entry in
            let kind: FileKind? =
                switch entry.type {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                // Symbolic links, and entries of file systems that do not report the kind.
                default: self.kind(of: "\(folder)/\(entry.name)")
                }
            // A broken symbolic link is an entry that cannot be used.
            return FileEntry(name: entry.name, kind: kind ?? .other)
        }
    }

    package func text(of path: String) throws(FileFault) -> String {
        let bytes: [UInt8]
        do throws(FirmwareBuildError) {
            bytes = try FileTree.contents(of: path)
        } catch {
            // The caller adds the path to the message.
            let prefixes = ["\(path) could not be read: ", "\(path): "]
            let prefix = prefixes.first(where: error.detail.hasPrefix) ?? ""
            throw FileFault(String(error.detail.dropFirst(prefix.count)))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else {
            let good = zip(text.utf8, bytes).prefix { $0 == $1 }
            let line = 1 + good.count { $0.1 == UInt8(ascii: "\n") }
            throw FileFault("line \(line) is not UTF-8")
        }
        return text
    }

    package func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
