import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock among the builds of this machine, in this process or others. It ends with the process, too.
struct FileLock {
    /// How often a lock that another build has is tried again: waiting for it must not block a thread of Swift's pool.
    private static let retryInterval: Duration = .milliseconds(100)

    /// `nil` where the file system has no locks: then nobody waits.
    private let file: FileDescriptor?

    /// Takes the lock on the file at `path`, after those who have it.
    ///
    /// - Parameter waiting: called once if another build has it.
    /// - Throws: ``FirmwareBuildError`` when the task is cancelled.
    init(_ path: String, waiting: () -> Void) async throws(FirmwareBuildError) {
        let opened = try? FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        var isWaiting = false
        while let opened, flock(opened.rawValue, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            if !isWaiting { waiting() }
            isWaiting = true
            do {
                try await Task.sleep(for: Self.retryInterval)
            } catch {
                try? opened.close()
                throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
            }
        }
        file = opened
    }

    func release() {
        try? file?.close()
    }
}
