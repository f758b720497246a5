internal import Console

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The log file of a monitor: appended to, and rotated at its size. Nothing is buffered: what was received is in the file,
/// whatever ends the program.
final class MonitorLog {
    /// The path, as it was given.
    let path: String
    private let rotation: LogRotation
    private let output: Output
    private var descriptor: Int32
    private var size = 0
    private var fault: SystemFault?

    /// Opens the file at `path` for appending. Only this user may read a new file: consoles print passkeys.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be created, or another espbench writes it.
    init(_ path: String, _ rotation: LogRotation, _ output: Output) throws(CommandFailure) {
        self.path = path
        self.rotation = rotation
        self.output = output
        descriptor = Self.open(path)
        guard descriptor >= 0 else { throw OutputFile.notCreated("--log \(path)", path) }
        guard let size = Self.lock(descriptor) else {
            close(descriptor)
            throw CommandFailure(
                .benchFault, "--log \(path) is being written by another espbench", code: "file.busy")
        }
        self.size = size
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func open(_ path: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        #else
            Darwin.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        #endif
    }

    /// The file's size; `nil` when another program has it.
    private static func lock(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// Appends whole lines; does nothing after a fault, which is reported at once.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, fault == nil {
            let part = rotation.part(of: rest, size: size)
            if part.isEmpty {
                rotate()
                continue
            }
            if let failed = SystemFault.writing(Array(part), to: descriptor) {
                fail(failed.fault)
                return
            }
            size += part.count
            rest = rest.dropFirst(part.count)
        }
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
    }

    private func fail(_ fault: SystemFault) {
        self.fault = fault
        output.note("error: --log \(path) could not be written: \(fault)")
    }

    /// Reports that the file is incomplete, if a write failed.
    ///
    /// - Throws: ``CommandFailure``.
    func finish() throws(CommandFailure) {
        if let fault {
            throw CommandFailure(.benchFault, "--log \(path) is incomplete: \(fault)", code: "file.notWritten")
        }
    }
}
