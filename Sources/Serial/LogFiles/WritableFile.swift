#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that are written to.
package enum WritableFile {
    /// Opens the file at `path` for writing. A pipe that no program reads is not waited for without end: `ENXIO`.
    ///
    /// - Returns: the descriptor; below 0 with an `errno`.
    package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        var attempts = 100
        while true {
            #if canImport(Glibc)
                let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | flags, mode)
            #else
                let descriptor = Darwin.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | flags, mode)
            #endif
            attempts -= 1
            guard descriptor < 0, errno == ENXIO, attempts > 0 else { return descriptor }
            // A reader that was started at the same time may still come.
            usleep(10_000)
        }
    }
}
