import Crypto
public import ESPImage
import FoundationEssentials
import PrivateFile
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Authentication codes beside the files of a cache of builds (`FILE.mac`), made with this user's key. A file that was
/// changed, or that somebody else has put there, e.g. in a cache shared by machines, is not used but built again.
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

    /// Moves the file at `temporary` to `path`, with its code: no reader sees one without the other. Two builds may
    /// write the same file at once, with different contents.
    func move(_ temporary: String, to path: String) throws(FirmwareBuildError) {
        guard let file = Self.open(temporary), let code = code(file, path) else {
            throw FirmwareBuildError(.fileSystem, "\(temporary) could not be read: \(Errno(rawValue: errno))")
        }
        try locked(LOCK_EX) { () throws(FirmwareBuildError) in
            try FileTree.move(temporary, to: path)
            try FileTree.write(code, to: path + ".mac")
        }
    }

    /// Writes a file with its code.
    func write(_ text: String, to path: String) throws(FirmwareBuildError) {
        let temporary = FileTree.temporaryPath(for: path)
        try FileTree.write(text, to: temporary)
        try move(temporary, to: path)
    }

    /// True if the file at `path` is as it was when it was stored.
    func isGenuine(_ path: String) -> Bool { read(path) { _ in } }

    /// The contents of the file at `path`, if they are as they were when it was stored.
    func contents(of path: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        return read(path) { bytes += $0 } ? bytes : nil
    }

    private func read(_ path: String, _ receive: (ArraySlice<UInt8>) -> Void) -> Bool {
        let (stored, file) = locked(LOCK_SH) { (try? FileTree.contents(of: path + ".mac"), Self.open(path)) }
        guard let file, let code = code(file, path, receive), let stored, stored.count == code.count else {
            return false
        }
        // Constant-time comparison.
        return zip(stored, code).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0
    }

    /// Runs a task of microseconds under an exclusive lock (`LOCK_EX`) or a lock that readers share (`LOCK_SH`). On a
    /// file system without locks, the task runs at once.
    private func locked<Result, Failure: Error>(
        _ operation: Int32, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = try? FileDescriptor.open(
            FilePath(cache + "/seals.lock"), .readWrite, options: [.create, .closeOnExec],
            permissions: .ownerReadWrite)
        if let lock { while flock(lock.rawValue, operation) != 0, errno == EINTR {} }
        defer {
            if let lock {
                // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
                flock(lock.rawValue, LOCK_UN)
                try? lock.close()
            }
        }
        return try body()
    }

    private static func open(_ path: String) -> FileDescriptor? {
        try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    }

    /// The code also covers the file's path in the cache. Closes the file.
    private func code(
        _ file: FileDescriptor, _ path: String, _ receive: (ArraySlice<UInt8>) -> Void = { _ in }
    ) -> [UInt8]? {
        defer { try? file.close() }
        guard path.hasPrefix(cache + "/") else { return nil }
        // A precompiled header has some 60 MB.
        var hash = SHA256()
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            guard let count = try? part.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
            if count == 0 { break }
            part.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            receive(part[..<count])
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
                """
                \(noun) \(path) belongs to user \(status.st_uid): expected user \(geteuid()) as the owner, whose \
                programs run its contents
                """
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FirmwareBuildError(
                .fileSystem,
                """
                others may write \(noun) \(path) (mode \(String(status.st_mode & 0o777, radix: 8))): remove it if \
                others may have changed it; otherwise run: chmod go-w '\(path)'
                """
            )
        }
    }
}

/// The key that seals this user's builds: a virtual board executes only images sealed with it.
///
/// It is stored in a file that only its owner can read.
public enum SealingKey {
    /// The key in the file at `path`; created, with its folder, if it does not exist.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `fileSystem`, also when others may read or write the file.
    public static func load(path: String) throws(FirmwareBuildError) -> HostProgramKey {
        // Files left by a killed run contain the bytes of a key.
        LeftoverFiles.remove(in: path.folderPath, prefix: path.fileName + ".", suffix: "")
        if !FileManager.default.fileExists(atPath: path) { try make(path: path) }
        try FileTree.checkIsOwn(path.folderPath, "the folder of the key")
        let bytes = try FileTree.contents(of: path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw FirmwareBuildError(.fileSystem, "the permissions of the key \(path) could not be read")
        }
        guard status.st_uid == geteuid() else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) belongs to user \(status.st_uid): expected user \(geteuid()) as the owner")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) is open to others: expected permissions 600, got \(String(status.st_mode & 0o777, radix: 8))"
            )
        }
        // File systems may leave such a file after a power cut.
        guard bytes.count != HostProgramKey.length || Set(bytes).count > 1 else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) is damaged: expected random bytes, got \(bytes.count) equal ones: remove it")
        }
        guard let key = HostProgramKey(bytes) else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) is damaged: expected \(HostProgramKey.length) bytes, got \(bytes.count): remove it")
        }
        return key
    }

    private static func make(path: String) throws(FirmwareBuildError) {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        try FileTree.makeFolder(path.folderPath)
        // Written under a unique name and then linked, so that two simultaneous first runs agree on one key.
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        do {
            let file = try FileDescriptor.open(
                FilePath(temporary), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            defer {
                unlink(temporary)
                try? file.close()
            }
            LeftoverFiles.lock(file.rawValue)
            try file.writeAll(key)
            try flush(file)
            guard link(temporary, path) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
            let folder = try FileDescriptor.open(FilePath(path.folderPath), .readOnly, options: .closeOnExec)
            defer { try? folder.close() }
            try flush(folder)
        } catch {
            throw FirmwareBuildError(.fileSystem, "the key \(path) could not be created: \(error)")
        }
    }

    /// Writes a file or folder to the disk: a key that a power cut damages makes all images worthless.
    private static func flush(_ file: FileDescriptor) throws {
        // Some file systems flush no folders.
        guard fsync(file.rawValue) == 0 || errno == EINVAL else { throw Errno(rawValue: errno) }
    }
}
