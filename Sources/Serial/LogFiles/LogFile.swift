#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A log file that is appended to, and rotated at a maximum size. Writes are not buffered: the file contains all
/// written lines even if the program crashes. Only this user may read a new file: consoles print passkeys.
public final class LogFile {
    /// Why a log cannot be begun.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// Another program writes it.
        case busy(path: String)
        /// It is a folder, a pipe or a device, which cannot be rotated.
        case notFile(path: String)
        /// The operating system refused; its error number.
        case system(path: String, Int32)

        /// One line.
        public var description: String {
            switch self {
            case .busy, .notFile: "log \(path): \(reason)"
            case .system: "log \(path): writing failed: \(reason)"
            }
        }

        /// The path of the log, as it was given.
        public var path: String {
            switch self {
            case .busy(let path), .notFile(let path), .system(let path, _): path
            }
        }

        /// The cause of the fault.
        package var reason: String {
            switch self {
            case .busy: "another program writes it"
            case .notFile: "expected a file, got a folder, a pipe or a device"
            case .system(_, let number): "\(SystemFault(number))"
            }
        }
    }

    /// The path, as it was given.
    public let path: String
    /// The first fault of writing; nothing is written after it.
    public private(set) var fault: Fault? {
        didSet { if let fault { onFault(fault) } }
    }
    private let rotation: LogRotation
    /// The first line of each file.
    private let heading: [UInt8]
    private let onFault: (Fault) -> Void
    private var descriptor: Int32
    private var size = 0
    /// The size of the file's heading line; 0 in a file that existed before.
    private var headingSize = 0

    /// Opens the file at `path` for appending; creates it if it is missing.
    ///
    /// - Parameters:
    ///   - heading: the first line of each file.
    ///   - onFault: is called with the first fault of writing, at once.
    /// - Throws: ``Fault``.
    public init(
        _ path: String, _ rotation: LogRotation = .standard, heading: String,
        onFault: @escaping (Fault) -> Void = { _ in }
    ) throws(Fault) {
        self.path = path
        self.rotation = rotation
        self.heading = Array((heading + "\n").utf8)
        self.onFault = onFault
        (descriptor, size) = try Self.open(path)
        if size > 0, rotation.part(of: self.heading[...], size: size).isEmpty { rotate() } else { begin() }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens and locks the file; returns its size.
    private static func open(_ path: String) throws(Fault) -> (descriptor: Int32, size: Int) {
        var status = stat()
        // Checked first, too: the opening of a device may have an effect, and that of a pipe waits for a reader.
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { throw .notFile(path: path) }
        let descriptor = WritableFile.open(path, O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw .system(path: path, errno) }
        do throws(Fault) {
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .notFile(path: path)
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path: path) }
        } catch {
            close(descriptor)
            throw error
        }
        return (descriptor, Int(status.st_size))
    }

    /// Appends whole lines; does nothing after a fault.
    public func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, fault == nil {
            let part = rotation.part(of: rest, size: size, heading: headingSize)
            if part.isEmpty {
                rotate()
                continue
            }
            append(part)
            rest = rest.dropFirst(part.count)
        }
    }

    private func begin() {
        headingSize = size == 0 ? heading.count : 0
        append(heading[...])
    }

    private func append(_ bytes: ArraySlice<UInt8>) {
        if let failed = SystemFault.writing(Array(bytes), to: descriptor) { return fail(failed.fault) }
        size += bytes.count
    }

    private func rotate() {
        for step in rotation.steps(path, exists: { access($0, F_OK) == 0 }) {
            switch step {
            case .remove(let path):
                if unlink(path) != 0, errno != ENOENT { return fail(.last) }
            case .rename(let path, let new):
                if rename(path, new) != 0, errno != ENOENT { return fail(.last) }
            }
        }
        close(descriptor)
        do throws(Fault) {
            (descriptor, size) = try Self.open(path)
        } catch {
            descriptor = -1
            fault = error
            return
        }
        begin()
    }

    private func fail(_ fault: SystemFault) { self.fault = .system(path: path, fault.number) }
}

/// The size at which a log file is rotated, and the renaming of former files: `FILE` becomes `FILE.1`, `FILE.1` becomes
/// `FILE.2`, and the file beyond the last number is removed.
public struct LogRotation: Hashable, Sendable {
    /// A step on files.
    public enum Step: Hashable, Sendable {
        /// Removes a file.
        case remove(String)
        /// Renames a file.
        case rename(String, to: String)
    }

    /// The default: 100 MiB exceed a night's output of most consoles, and six such files limit the total size.
    public static let standard = LogRotation(maximumSize: 100 << 20, kept: 5)

    /// The allowed numbers of kept former files: each rotation renames them all.
    public static let keepable = 0...1000

    /// The largest size of a file in bytes; `nil`: without limit.
    public let maximumSize: Int?
    /// How many former files are kept.
    public let kept: Int

    /// Rotation at `maximumSize`, with `kept` former files.
    public init(maximumSize: Int?, kept: Int) {
        self.maximumSize = maximumSize
        self.kept = min(max(kept, Self.keepable.lowerBound), Self.keepable.upperBound)
    }

    /// The bytes that still fit into a file of `size` bytes: as many whole lines of `bytes` as possible. A file that
    /// contains only its heading of `heading` bytes always accepts the first line.
    public func part(of bytes: ArraySlice<UInt8>, size: Int, heading: Int = 0) -> ArraySlice<UInt8> {
        guard let maximumSize, size + bytes.count > maximumSize else { return bytes }
        let room = max(0, maximumSize - size)
        if let end = bytes.prefix(room).lastIndex(of: 0x0A) { return bytes[...end] }
        guard size <= heading else { return bytes.prefix(0) }
        return bytes.firstIndex(of: 0x0A).map { bytes[...$0] } ?? bytes
    }

    /// The steps before a new file is begun at `path`: former files move up to the first number that is free.
    ///
    /// - Parameter exists: returns true if a file exists at a path.
    public func steps(_ path: String, exists: (String) -> Bool) -> [Step] {
        guard kept > 0 else { return [.remove(path)] }
        let free = (1...kept).first { !exists("\(path).\($0)") }
        var steps: [Step] = free == nil ? [.remove("\(path).\(kept)")] : []
        for number in stride(from: (free ?? kept) - 1, to: 0, by: -1) {
            steps.append(.rename("\(path).\(number)", to: "\(path).\(number + 1)"))
        }
        return steps + [.rename(path, to: "\(path).1")]
    }
}

/// Files that are written to.
package enum WritableFile {
    /// Opens the file at `path` for writing. For a pipe that no program reads, fails with `ENXIO` after a limited wait.
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
            // A reader that was started at the same time may still open the pipe.
            usleep(10_000)
        }
    }
}

/// An error of the operating system.
package struct SystemFault: Error, Hashable, CustomStringConvertible {
    /// Writes all bytes.
    package typealias Writer = @Sendable ([UInt8]) throws(SystemFault) -> Void

    /// The `errno`.
    package var number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of the last system call.
    package static var last: SystemFault { SystemFault(errno) }

    /// The system's text, e.g. "No space left on device".
    package var description: String { String(cString: strerror(number)) }

    /// Writes all `bytes` to `descriptor`; waits if it would block.
    ///
    /// - Returns: the number of bytes written before the error, and the error; `nil` if all were written.
    package static func writing(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, fault: SystemFault)? {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Self.poll(&poll)
            } else if errno != EINTR {
                return (done, last)
            }
        }
        return nil
    }

    private static func poll(_ descriptor: inout pollfd) -> Int32 {
        #if canImport(Glibc)
            Glibc.poll(&descriptor, 1, -1)
        #else
            Darwin.poll(&descriptor, 1, -1)
        #endif
    }
}
