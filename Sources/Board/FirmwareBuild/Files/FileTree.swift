import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// File operations; their errors are build errors that name the file and the system's reason.
package enum FileTree {
    /// The longest accepted file, in bytes; a flash has at most 16 MB.
    static let longestFile = 64 << 20

    /// The bytes of the file at `path`. Devices and pipes are refused: reading them may never end.
    package static func contents(of path: String) throws(FirmwareBuildError) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            let size = try size(of: file, path)
            guard size <= longestFile else {
                throw FirmwareBuildError(
                    .fileSystem, "\(path): expected a file of at most \(longestFile) bytes, got \(size)")
            }
            var bytes = [UInt8](repeating: 0, count: size)
            var count = 0
            while count < size {
                let part = try bytes.withUnsafeMutableBytes {
                    try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
                }
                guard part > 0 else { break }
                count += part
            }
            bytes.removeLast(size - count)
            return bytes
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(path) could not be read: \(error)")
        }
    }

    private static func size(of file: FileDescriptor, _ path: String) throws -> Int {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int(status.st_size)
        case S_IFDIR: throw Errno.isDirectory
        default: throw FirmwareBuildError(.fileSystem, "\(path): expected a file, got \(special)")
        }
    }

    static func text(of path: String) throws(FirmwareBuildError) -> String {
        String(decoding: try contents(of: path), as: UTF8.self)
    }

    static func write(_ text: String, to path: String) throws(FirmwareBuildError) {
        try write(Array(text.utf8), to: path)
    }

    /// The path of a temporary file that is moved to `path` when it is complete: other builds, in this process or
    /// others, may write it at the same time.
    static func temporaryPath(for path: String) -> String {
        "\(path).\(getpid())-\(temporaryFiles.add(1, ordering: .relaxed).oldValue)\(temporarySuffix)"
    }

    /// The suffix of unfinished files.
    static let temporarySuffix = ".new"

    /// True if the file at `path` is named like one from ``temporaryPath(for:)``, also with an extension behind it.
    static func isTemporary(_ path: String) -> Bool {
        var parts = path.fileName.split(separator: ".").suffix(3)
        if parts.last.map({ "." + $0 }) != temporarySuffix { parts.removeLast() }
        let numbers = parts.dropLast().last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        return parts.last.map { "." + $0 } == temporarySuffix && numbers.count == 2
            && numbers.allSatisfy { Int($0) != nil }
    }

    private static let temporaryFiles = Atomic<Int>(0)

    /// Writes the file at `path` atomically: it has all `bytes`, or its former content.
    package static func write(_ bytes: [UInt8], to path: String) throws(FirmwareBuildError) {
        // A unique name: two builds may run at once.
        let temporary = temporaryPath(for: path)
        do {
            try write(bytes, toNew: temporary, permissions: [.ownerReadWrite, .groupRead, .otherRead])
            guard rename(temporary, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            unlink(temporary)
            throw FirmwareBuildError(.fileSystem, "\(path) could not be written: \(error)")
        }
    }

    /// Creates the file at `path` with `bytes`.
    ///
    /// - Throws: `Errno`; the file may then exist with a part of its bytes.
    static func write(_ bytes: [UInt8], toNew path: String, permissions: FilePermissions) throws {
        unlink(path)
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        do {
            try file.writeAll(bytes)
        } catch {
            try? file.close()
            throw error
        }
        // Some file systems report only now that there was no space.
        try file.close()
    }

    /// Creates the folder at `path` and its parents if they do not exist.
    /// Others never get the right to write, whatever the umask is: a key may be kept below it.
    package static func makeFolder(_ path: String) throws(FirmwareBuildError) {
        if mkdir(path, 0o755) == 0 { return }
        var reason = Errno(rawValue: errno)
        if reason == .fileExists {
            if isFolder(path) { return }
            reason = .notDirectory
        }
        let parent = path.folderPath
        if reason == .noSuchFileOrDirectory, parent != path, !isFolder(parent) {
            try makeFolder(parent)
            if mkdir(path, 0o755) == 0 || isFolder(path) { return }
            reason = Errno(rawValue: errno)
        }
        throw FirmwareBuildError(.fileSystem, "the folder \(path) could not be created: \(reason)")
    }

    /// Removes the file at `path` if it exists.
    static func remove(_ path: String) { unlink(path) }

    /// Sets the time of last use of a file or folder to now.
    static func touch(_ path: String) { utimes(path, nil) }

    /// Moves a finished file into place, over an older one.
    static func move(_ path: String, to target: String) throws(FirmwareBuildError) {
        guard rename(path, target) == 0 else {
            throw FirmwareBuildError(
                .fileSystem, "\(path) could not be moved to \(target): \(Errno(rawValue: errno))")
        }
    }
}
