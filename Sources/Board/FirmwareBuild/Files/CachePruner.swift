import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Removes from a cache of builds the entries that were not used for long, the least recently used entries beyond a
/// total size, and the unfinished files of killed builds.
package struct CachePruner {
    /// The largest size of the cache, in bytes. A host core with its precompiled headers takes about 120 MB.
    package static let largestSize = 1 << 30
    /// Entries that were not used for this time are removed, in seconds: 30 days.
    static let longestUnused = 30 * 86_400
    /// Entries that were used within this time are never removed, in seconds: a bench may still decode a crash with
    /// them.
    static let inUse = 3600

    /// A folder or file of the cache that is removed as a whole.
    private struct Entry {
        var path: String
        var size: Int
        /// Seconds since it was used last.
        var age: Int
    }

    private let folders: BuildFolders
    private let largestSize: Int

    /// A pruner of the folder `cache`, down to `largestSize` bytes.
    package init(cache: String, largestSize: Int = largestSize) {
        folders = BuildFolders(cache: cache)
        self.largestSize = largestSize
    }

    /// Prunes the cache. No build may use it meanwhile.
    package func prune() {
        // The current time of the clock that sets the times of files.
        FileTree.touch(folders.lock)
        guard let now = Self.time(folders.lock) else { return }
        var entries: [Entry] = []
        let parents = [folders.objects, folders.programs, folders.sketches]
        for parent in [folders.cache] + parents {
            for name in (try? FileTree.entries(of: parent)) ?? [] {
                let path = "\(parent)/\(name.name)"
                guard !parents.contains(path), path != folders.lock, let time = Self.time(path) else { continue }
                var size = 0
                for file in Self.files(path) {
                    // No build writes the file: pruning has the cache alone.
                    if FileTree.isTemporary(file.path) { unlink(file.path) } else { size += file.size }
                }
                entries.append(Entry(path: path, size: size, age: now - time))
            }
        }
        entries.sort { $0.age > $1.age }
        var size = entries.reduce(0) { $0 + $1.size }
        for entry in entries where entry.age > Self.longestUnused || (size > largestSize && entry.age > Self.inUse) {
            Self.remove(entry.path)
            size -= entry.size
        }
    }

    /// Removes everything.
    ///
    /// - Returns: the number of bytes; `nil` when a build uses the cache: nothing is removed then.
    /// - Throws: ``FirmwareBuildError`` when the cache is not this user's.
    package func removeAll() throws(FirmwareBuildError) -> Int? {
        guard FileTree.isFolder(folders.cache) else { return 0 }
        try FileTree.checkIsOwn(folders.cache, "the cache of builds")
        let lock: FileDescriptor
        do {
            lock = try FileDescriptor.open(
                FilePath(folders.lock), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(folders.lock) could not be opened: \(error)")
        }
        defer { try? lock.close() }
        guard flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else { return nil }
        let size = Self.files(folders.cache).reduce(0) { $0 + $1.size }
        // The lock file is kept: another build may wait for the lock.
        for entry in (try? FileTree.entries(of: folders.cache)) ?? [] {
            let path = "\(folders.cache)/\(entry.name)"
            if path != folders.lock { Self.remove(path) }
        }
        return size
    }

    /// The time of last use of a file or folder, in seconds of the file system's clock.
    private static func time(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            return status.st_mtimespec.tv_sec
        #else
            return status.st_mtim.tv_sec
        #endif
    }

    /// The files at and below `path`, with their sizes in bytes. Symbolic links are files here: their targets do not
    /// belong to the cache.
    private static func files(_ path: String) -> [(path: String, size: Int)] {
        guard isOwnFolder(path) else {
            var status = stat()
            return lstat(path, &status) == 0 ? [(path, Int(status.st_size))] : []
        }
        return ((try? FileTree.entries(of: path)) ?? []).flatMap { files("\(path)/\($0.name)") }
    }

    /// True if `path` is a folder and not a symbolic link to one.
    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func remove(_ path: String) {
        guard isOwnFolder(path) else {
            unlink(path)
            return
        }
        for entry in (try? FileTree.entries(of: path)) ?? [] { remove("\(path)/\(entry.name)") }
        rmdir(path)
    }
}

/// A build's use of the cache, which keeps other builds from pruning it meanwhile.
///
/// Builds share a lock on a file of the cache; pruning needs it exclusively. Where a file system has no locks nothing
/// is pruned.
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

    /// Ends the use of the cache. When `mayPrune` and no other build uses the cache, old files and files beyond the
    /// limit are removed.
    consuming func end(mayPrune: Bool) {
        guard mayPrune, let lock, flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
        CachePruner(cache: folders.cache).prune()
    }
}
