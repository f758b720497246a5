import Crypto
import ESPImage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Codes beside the files of a cache of builds (`FILE.mac`), made with this user's key: a file that somebody else has put
/// there, such as with a cache that is shared by machines, or that was changed, is not used but made anew.
struct CacheSeals: Sendable {
    private let cache: String
    private let key: HostProgramKey

    /// The seals of the folder `cache`, which is made if it does not exist.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `fileSystem`, also when others own the folder or may write in it.
    init(cache: String, key: HostProgramKey) throws(FirmwareBuildError) {
        self.cache = cache
        self.key = key
        try FileTree.makeFolder(cache)
        try FileTree.checkIsOwn(cache, "the cache of builds")
        // Folders in it have the permissions that the user's umask leaves.
        chmod(cache, 0o700)
    }

    /// Writes the code of the file at `path`.
    func seal(_ path: String) throws(FirmwareBuildError) {
        guard let code = code(path) else {
            throw FirmwareBuildError(.fileSystem, "\(path) could not be read: \(Errno(rawValue: errno))")
        }
        try FileTree.write(code, to: path + ".mac")
    }

    /// Whether the file at `path` is as it was when it was sealed.
    func isGenuine(_ path: String) -> Bool {
        guard let stored = try? FileTree.contents(of: path + ".mac"), let code = code(path),
            stored.count == code.count
        else { return false }
        // Constant-time comparison.
        return zip(stored, code).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0
    }

    /// The code belongs to the file's place in the cache, too.
    private func code(_ path: String) -> [UInt8]? {
        guard path.hasPrefix(cache + "/"),
            let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        else { return nil }
        defer { try? file.close() }
        // A precompiled header has some 60 MB.
        var hash = SHA256()
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            guard let count = try? part.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
            if count == 0 { break }
            part.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return key.code(of: Array(hash.finalize()), for: String(path.dropFirst(cache.count + 1)))
    }
}

extension FileTree {
    /// - Throws: ``FirmwareBuildError`` when somebody else owns the folder or file at `path`, which is called `noun`, or
    ///   may write it.
    static func checkIsOwn(_ path: String, _ noun: String) throws(FirmwareBuildError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw FirmwareBuildError(.fileSystem, "\(noun) \(path) could not be examined: \(Errno(rawValue: errno))")
        }
        guard status.st_uid == geteuid() else {
            throw FirmwareBuildError(
                .fileSystem,
                "\(noun) \(path) belongs to user \(status.st_uid): expected one of user \(geteuid()), whose programs run what is in it"
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FirmwareBuildError(
                .fileSystem,
                "others may write \(noun) \(path) (mode \(String(status.st_mode & 0o777, radix: 8))): remove it if they may have done so, else: chmod go-w '\(path)'"
            )
        }
    }
}
