#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Temporary files that a killed process has left beside the file being written.
///
/// Their names are `PREFIX` `PID` `SUFFIX`. The writer locks its file, since in a folder shared by several machines,
/// the process PID may run on another machine.
package enum LeftoverFiles {
    /// Locks a new file of this process, until it is closed.
    package static func lock(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Removes the files of processes that have ended; skips files that cannot be removed.
    package static func remove(in folder: String, prefix: String, suffix: String) {
        for name in (FolderEntry.all(in: folder) ?? []).map(\.name) {
            guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count,
                let process = Int32(name.dropFirst(prefix.count).dropLast(suffix.count)), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            let path = folder + "/" + name
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }
}
