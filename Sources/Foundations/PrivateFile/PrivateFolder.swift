#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that only this user may use.
public enum PrivateFolder {
    /// Creates the folder if it does not exist; its parent must exist.
    ///
    /// - Throws: `notPrivate` if another user owns it or has rights to it.
    public static func make(_ path: String) throws(PrivateFileError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFileError("making", path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw PrivateFileError("opening", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw PrivateFileError(
                .system(ENOTDIR), action: "opening", path: path, reason: String(cString: strerror(ENOTDIR)))
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw PrivateFileError(
                .notPrivate, action: "using", path: path,
                reason: "expected a folder of user \(geteuid()) with mode 700, got one of user \(status.st_uid) with "
                    + "mode \(mode)")
        }
    }
}
