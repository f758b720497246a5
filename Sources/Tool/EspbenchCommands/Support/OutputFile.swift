import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a command writes what happened into, record by record.
///
/// What cannot be written any more costs no more than itself: the first fault is reported at once, the work goes on,
/// and the file keeps the whole records before it.
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

    /// Creates the file at `path`, or empties it. A new one only this user may read: HCI packets hold the keys of
    /// bonds, and consoles passkeys. `subject` names the file in errors, which go to `output`.
    init(_ path: String, _ subject: String, _ output: Output) throws(CommandFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.benchFault, "the \(subject) \(path) could not be made: \(SystemFault.last)")
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
            // The part of a record that was written would spoil the file for its readers.
            ftruncate(descriptor, state.size)
            state.fault = failed.fault
            return failed.fault
        }
        if let fault { output.note("error: the \(subject) \(path) could not be written: \(fault)") }
    }

    /// Says at the end, too, that the file is not whole.
    ///
    /// - Throws: ``CommandFailure`` when something could not be written.
    func finish() throws(CommandFailure) {
        if let fault = state.withLock({ $0.fault }) {
            throw CommandFailure(.benchFault, "the \(subject) \(path) is incomplete: \(fault)")
        }
    }
}
