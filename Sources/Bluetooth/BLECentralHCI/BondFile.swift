#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stores keys in a file that only this user may read.
///
/// A new version is written to a temporary file and then renamed, so that a power cut leaves the old or the new
/// version. A file that cannot be read is never overwritten: ``load()`` fails, and a central that could not load its
/// keys saves nothing.
public struct BondFile: BondStore {
    /// The longest file that is read, in bytes; 1000 bonds take less than a third of it.
    private static let maximumSize = 1 << 20

    private let path: String

    /// The file at `path`, which need not exist yet; its folder must exist.
    public init(path: String) {
        self.path = path
    }

    /// The keys in the file; none if it does not exist.
    public func load() throws(BondStoreError) -> StoredKeys {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return StoredKeys() }
            throw systemError("opening")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= Self.maximumSize {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("reading") }
            guard count > 0 else { return try BondFileText.keys(in: bytes, path: path) }
            bytes += part.prefix(count)
        }
        throw BondStoreError(.damaged, "\(path): expected at most \(Self.maximumSize) bytes of keys, got more")
    }

    /// Replaces the file.
    public func save(_ keys: StoredKeys) throws(BondStoreError) {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw systemError("writing a new version of") }
        do throws(BondStoreError) {
            try write(BondFileText.bytes(of: keys), to: descriptor)
            guard fsync(descriptor) == 0 else { throw systemError("flushing a new version of") }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else {
            let error = systemError("replacing")
            unlink(temporary)
            throw error
        }
        flushFolder()
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(BondStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { posixWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("writing a new version of") }
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes the folder, which makes the rename persistent; the file itself has been flushed, so a failure loses no
    /// keys.
    private func flushFolder() {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func systemError(_ action: String) -> BondStoreError {
        let number = errno
        return BondStoreError(
            .system(number), "\(path): \(action) the file of keys failed: \(String(cString: strerror(number)))")
    }
}

/// The system's `write`, which a method of ``BondFile`` shadows.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
