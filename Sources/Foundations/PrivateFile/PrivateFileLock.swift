#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock on a file that has no other purpose. The lock ends with the object or the process, even after a
/// crash.
public final class PrivateFileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; creates the file if it does not exist.
    ///
    /// - Throws: `locked` with the PID of the process that has the lock.
    public init(_ path: String) throws(PrivateFileError) {
        descriptor = try openFile(path, O_RDWR | O_CREAT, for: "locking")
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let error =
                errno == EWOULDBLOCK
                ? PrivateFileError(.locked, action: "locking", path: path, reason: "\(Self.owner(descriptor)) has it")
                : PrivateFileError("locking", path)
            throw error
        }
        // Writes this process's PID, for the error of other processes.
        ftruncate(descriptor, 0)
        let number = Array("\(getpid())\n".utf8)
        _ = write(descriptor, number, number.count)
    }

    deinit {
        // Unlock explicitly: a child process being started by another thread may have a copy of the descriptor, which
        // would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        let number = Int32(
            String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").first ?? "")
        return number.map { $0 == getpid() ? "another part of this program" : "process \($0)" } ?? "another process"
    }
}
