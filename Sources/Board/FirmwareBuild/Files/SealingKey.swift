import Crypto
public import ESPImage
import FoundationEssentials
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
        if !FileManager.default.fileExists(atPath: path) { try make(path: path) }
        let bytes = try FileTree.contents(of: path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let permissions = attributes?[.posixPermissions] as? Int else {
            throw FirmwareBuildError(.fileSystem, "the permissions of the key \(path) could not be read")
        }
        guard permissions & 0o077 == 0 else {
            throw FirmwareBuildError(
                .fileSystem,
                "the key \(path) is open to others: expected permissions 600, got \(String(permissions & 0o777, radix: 8))"
            )
        }
        guard let key = HostProgramKey(bytes) else {
            throw FirmwareBuildError(
                .fileSystem, "the key \(path) is damaged: expected \(HostProgramKey.length) bytes, got \(bytes.count)")
        }
        return key
    }

    private static func make(path: String) throws(FirmwareBuildError) {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileTree.makeFolder(folder)
        // Written under a unique name and then linked, so that two simultaneous first runs agree on one key.
        let temporary = "\(path).\(getpid())"
        defer { unlink(temporary) }
        do {
            try FileTree.write(key, toNew: temporary, permissions: .ownerReadWrite)
            guard link(temporary, path) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        } catch {
            throw FirmwareBuildError(.fileSystem, "the key \(path) could not be created: \(error)")
        }
    }
}
