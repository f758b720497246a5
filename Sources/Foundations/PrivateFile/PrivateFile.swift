#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that only this user may read, and that is replaced as a whole.
///
/// A new version is written to a temporary file, flushed, and then renamed: a crash or a power cut leaves either the
/// old or the new version complete.
public struct PrivateFile: Sendable {
    /// The path of the file; its folder must exist.
    public let path: String
    /// Limit of the file's size for reading, in bytes.
    public let maximumSize: Int
    /// True if there is no other writer, e.g. under a ``PrivateFileLock``: then the temporary file always has the same
    /// name, and the remains of crashes do not accumulate.
    public let hasOneWriter: Bool

    /// The file at `path`, which may be absent.
    public init(path: String, maximumSize: Int = 1 << 20, hasOneWriter: Bool = false) {
        self.path = path
        self.maximumSize = maximumSize
        self.hasOneWriter = hasOneWriter
    }

    /// The bytes of the file; `nil` if it does not exist.
    public func read() throws(PrivateFileError) -> [UInt8]? {
        let descriptor: Int32
        do throws(PrivateFileError) {
            descriptor = try openFile(path, O_RDONLY, for: "opening")
        } catch {
            if error.code == .system(ENOENT) { return nil }
            throw error
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= maximumSize {
            let count = posixRead(descriptor, &part)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PrivateFileError("reading", path) }
            guard count > 0 else { return bytes }
            bytes += part.prefix(count)
        }
        throw PrivateFileError(
            .tooLong, action: "reading", path: path, reason: "expected at most \(maximumSize) bytes, got more")
    }

    /// Replaces the contents of the file.
    public func replace(_ bytes: [UInt8]) throws(PrivateFileError) {
        let temporary = hasOneWriter ? "\(path).new" : "\(path).\(getpid()).new"
        if !hasOneWriter {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            LeftoverFiles.remove(in: folder, prefix: name + ".", suffix: ".new")
        }
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError("writing a new version of", path) }
        LeftoverFiles.lock(descriptor)
        do throws(PrivateFileError) {
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw PrivateFileError("flushing a new version of", path) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else {
            let error = PrivateFileError("replacing", path)
            unlink(temporary)
            throw error
        }
        flushFolder()
    }

    private var folder: String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(PrivateFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { posixWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PrivateFileError("writing a new version of", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes the folder, which makes the rename persistent; after a failure no data is lost, since the file itself
    /// has been flushed.
    private func flushFolder() {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Opens a file, or creates one that only this user may use; does not wait for the other end of a pipe.
///
/// - Throws: `notFile`, `system`; `action` is the error's.
func openFile(_ path: String, _ flags: Int32, for action: String) throws(PrivateFileError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw PrivateFileError(action, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw PrivateFileError(
            .notFile, action: action, path: path, reason: "expected a file, got a folder, a pipe or a device")
    }
    return descriptor
}

/// The system calls that methods of ``PrivateFile`` shadow.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func posixRead(_ descriptor: Int32, _ part: inout [UInt8]) -> Int {
    read(descriptor, &part, part.count)
}
