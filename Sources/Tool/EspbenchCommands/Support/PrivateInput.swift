#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files with secrets that the user names.
enum PrivateInput {
    /// Checks that nobody else may use the file at `path`, if it is there; a pipe or a device is as its maker wants it.
    ///
    /// - Throws: ``CommandFailure`` when others may, or own it.
    static func check(_ path: String, option: String) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw CommandFailure(
                .badInput,
                "\(option) \(path): expected a file of user \(geteuid()) with mode 600, got one of user \(status.st_uid) "
                    + "with mode \(mode)", code: "file.notPrivate")
        }
    }

    /// Says that the file at `path` is there without a byte, as a full disk leaves one: it counts as missing.
    static func noteIfEmpty(_ path: String, with content: String, _ output: Output) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { return }
        output.note("note: \(path) is empty, as a full disk leaves a file: it is replaced by one with \(content)")
    }
}
