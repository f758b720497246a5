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

/// The key that seals this user's builds: a virtual board executes only images sealed with it.
///
/// It is stored in a file that only its owner can read.
public enum SealingKey {
    /// The key in the file at `path`; created, with its folder, if it does not exist.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `fileSystem`, also when others may read or write the file.
    public static func load(path: String) throws(FirmwareBuildError) -> HostProgramKey {
        // Of a killed run, with the bytes of a key.
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
                .fileSystem, "the key \(path) belongs to user \(status.st_uid): expected one of user \(geteuid())")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) is open to others: expected permissions 600, got \(String(status.st_mode & 0o777, radix: 8))"
            )
        }
        // What a file system may leave of a file after a power cut.
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
