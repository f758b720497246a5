import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A build's use of the cache, which keeps other builds from pruning it meanwhile.
///
/// Builds share a lock on a file of the cache; who prunes needs it alone. Where a file system has no locks nothing is
/// pruned.
struct CacheLease: ~Copyable {
    private let folders: BuildFolders
    private let lock: FileDescriptor?

    init(_ folders: BuildFolders) {
        self.folders = folders
        let file = try? FileDescriptor.open(
            FilePath(folders.lock), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        // While another build prunes, this waits: some milliseconds.
        if let file, flock(file.rawValue, LOCK_SH) != 0 {
            try? file.close()
            lock = nil
        } else {
            lock = file
        }
    }

    deinit {
        guard let lock else { return }
        // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
        flock(lock.rawValue, LOCK_UN)
        try? lock.close()
    }

    /// Ends the use of the cache. When `mayPrune` and nobody else uses it, what is too old or too much is removed.
    consuming func end(mayPrune: Bool) {
        guard mayPrune, let lock, flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
        CachePruner(cache: folders.cache).prune()
    }
}
