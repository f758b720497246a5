#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A log file: appended to, and rotated at its size. Nothing is buffered: what was written is in the file, whatever ends
/// the program. Only this user may read a new file: consoles print passkeys.
public final class LogFile {
    /// Why a log cannot be begun.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// Another program writes it.
        case busy(path: String)
        /// The operating system refused; its error number.
        case system(path: String, Int32)

        /// One line.
        public var description: String {
            switch self {
            case .busy: "log \(path): \(reason)"
            case .system: "log \(path): writing failed: \(reason)"
            }
        }

        /// The path of the log, as it was given.
        public var path: String {
            switch self {
            case .busy(let path), .system(let path, _): path
            }
        }

        /// What was found.
        package var reason: String {
            switch self {
            case .busy: "another program writes it"
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
    /// How much of the file is its first line; 0 in a file that was there before.
    private var headingSize = 0

    /// Opens the file at `path` for appending, which is created if it is missing.
    ///
    /// - Parameters:
    ///   - heading: the first line of each file.
    ///   - onFault: is told of the first fault of writing, at once.
    /// - Throws: ``Fault``.
    public init(
        _ path: String, _ rotation: LogRotation = .standard, heading: String,
        onFault: @escaping (Fault) -> Void = { _ in }
    ) throws(Fault) {
        self.path = path
        self.rotation = rotation
        self.heading = Array((heading + "\n").utf8)
        self.onFault = onFault
        descriptor = Self.open(path)
        guard descriptor >= 0 else { throw .system(path: path, errno) }
        guard let size = Self.lock(descriptor) else {
            close(descriptor)
            throw .busy(path: path)
        }
        self.size = size
        if size > 0, rotation.part(of: self.heading[...], size: size).isEmpty { rotate() } else { begin() }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func open(_ path: String) -> Int32 {
        WritableFile.open(path, O_CREAT | O_APPEND, 0o600)
    }

    /// The file's size; `nil` when another program has it.
    private static func lock(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return Int(status.st_size)
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
        descriptor = Self.open(path)
        size = 0
        guard descriptor >= 0 else { return fail(.last) }
        _ = Self.lock(descriptor)
        begin()
    }

    private func fail(_ fault: SystemFault) { self.fault = .system(path: path, fault.number) }
}
