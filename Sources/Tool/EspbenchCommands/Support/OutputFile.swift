import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of records that a command writes while it runs.
///
/// A failed write does not end the command: the first failure is reported at once, later records are dropped, and the
/// file keeps the complete records before it.
final class OutputFile: Sendable {
    private struct State {
        var size: off_t = 0
        var fault: SystemFault?
    }

    private let path: String
    private let subject: String
    private let output: Output
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Creates the file at `path`, or empties it. Only this user may read a new file: HCI packets contain keys of
    /// bonds, and consoles passkeys. `subject` names the file in errors, which go to `output`.
    init(_ path: String, _ subject: String, _ output: Output) throws(CommandFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.benchFault, "the \(subject) \(path) could not be created: \(SystemFault.last)")
        }
        self.path = path
        self.subject = subject
        self.output = output
    }

    deinit {
        close(descriptor)
    }

    /// Appends whole records; does nothing after a fault.
    func write(_ bytes: [UInt8]) {
        let fault = state.withLock { state -> SystemFault? in
            guard state.fault == nil else { return nil }
            guard let failed = SystemFault.writing(bytes, to: descriptor) else {
                state.size += off_t(bytes.count)
                return nil
            }
            // Remove the incomplete record, which readers could not parse.
            ftruncate(descriptor, state.size)
            state.fault = failed.fault
            return failed.fault
        }
        if let fault { output.note("error: the \(subject) \(path) could not be written: \(fault)") }
    }

    /// Reports at the end that the file is incomplete, if a write failed.
    ///
    /// - Throws: ``CommandFailure`` when something could not be written.
    func finish() throws(CommandFailure) {
        if let fault = state.withLock({ $0.fault }) {
            throw CommandFailure(.benchFault, "the \(subject) \(path) is incomplete: \(fault)")
        }
    }
}
