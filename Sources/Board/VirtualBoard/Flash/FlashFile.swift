#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of a flash chip in a file of its size, readable and writable by this user only, and locked against other
/// processes.
final class FlashFile: FlashStorage {
    let size: Int
    private let path: String
    private let descriptor: Int32

    /// Opens or creates the file at `path`; a new one is erased.
    ///
    /// - Throws: ``FlashError``: `busy` when another process has it, `wrongSize`, `system`.
    init(path: String, size: Int) throws(FlashError) {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
        let isNew = descriptor >= 0
        if !isNew, errno == EEXIST { descriptor = open(path, flags) }
        guard descriptor >= 0 else { throw Self.systemError(errno, path, "opening the flash file failed") }
        do throws(FlashError) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                guard code == EWOULDBLOCK else { throw Self.systemError(code, path, "locking the flash file failed") }
                throw FlashError(.busy, path, "the flash file is in use by another espbench process")
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                throw Self.systemError(errno, path, "asking for the size of the flash file failed")
            }
            let isRegular = status.st_mode & S_IFMT == S_IFREG
            if isRegular, status.st_size == 0 {
                try Self.erase(descriptor, path, size, isNew: isNew)
            } else if !isRegular || Int(status.st_size) != size {
                throw FlashError(
                    .wrongSize, path, "expected a flash file of \(size) bytes, got \(status.st_size)")
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.size = size
        self.descriptor = descriptor
    }

    deinit {
        // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func systemError(_ code: Int32, _ path: String, _ what: String) -> FlashError {
        FlashError(.system, path, "\(what): \(String(cString: strerror(code)))")
    }

    /// Fills an empty file as an erased flash; on an error restores it, or removes it if it `isNew`.
    private static func erase(_ descriptor: Int32, _ path: String, _ size: Int, isNew: Bool) throws(FlashError) {
        let code = write([UInt8](repeating: 0xFF, count: size), at: 0, to: descriptor)
        guard code != 0 else { return }
        if isNew { unlink(path) } else { ftruncate(descriptor, 0) }
        throw systemError(code, path, "writing the new flash file of \(size) bytes failed")
    }

    func read(at offset: Int, count: Int) throws(FlashError) -> [UInt8] {
        // errno is valid only after a failed call: memory management and signal handlers change it, too.
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if read > 0 {
                    filled += read
                } else if read == 0 || errno != EINTR {
                    if read < 0 { code = errno }
                    break
                }
            }
        }
        guard code == 0 else { throw Self.systemError(code, path, "reading \(count) bytes at \(offset) failed") }
        guard bytes.count == count else {
            throw FlashError(.wrongSize, path, "expected \(count) bytes at \(offset), got \(bytes.count)")
        }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(FlashError) {
        let code = Self.write(bytes, at: offset, to: descriptor)
        guard code != 0 else { return }
        throw Self.systemError(code, path, "writing \(bytes.count) bytes at \(offset) failed")
    }

    /// Writes all `bytes`.
    ///
    /// - Returns: 0, or the `errno`. After a partial write, the write of the rest returns the error.
    private static func write(_ bytes: [UInt8], at offset: Int, to descriptor: Int32) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if count < 0 {
                guard errno == EINTR else { return errno }
            } else {
                done += count
            }
        }
        return 0
    }
}

/// The bytes of a flash chip in memory, lost with the board.
final class FlashMemory: FlashStorage {
    private(set) var contents: FlashContents
    var size: Int { contents.size }

    init(_ contents: FlashContents) {
        self.contents = contents
    }

    func read(at offset: Int, count: Int) -> [UInt8] { contents.read(at: offset, count: count) }

    func write(_ bytes: [UInt8], at offset: Int) { contents.write(bytes, at: offset) }
}

/// The storage of a flash chip's bytes; callers check the range.
protocol FlashStorage: AnyObject {
    var size: Int { get }
    func read(at offset: Int, count: Int) throws(FlashError) -> [UInt8]
    func write(_ bytes: [UInt8], at offset: Int) throws(FlashError)
}
