#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileSnapshot.Stamp {
    /// The stamp of the file or folder at `path`, after symbolic links; `nil`: no such file.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if os(Linux)
            let modified = status.st_mtim
        #else
            let modified = status.st_mtimespec
        #endif
        // SAFETY: a timespec has two words, seconds and nanoseconds. Its fields cannot be named here: in a release build the
        // compiler finds them in a module that cannot be imported (Swift 6.3.1, MemberImportVisibility).
        let (seconds, nanoseconds) = withUnsafeBytes(of: modified) { bytes in
            (bytes.load(as: Int.self), bytes.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self))
        }
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(truncatingIfNeeded: status.st_ino),
            size: Int64(status.st_size), modified: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds),
            mode: UInt32(status.st_mode))
    }
}
