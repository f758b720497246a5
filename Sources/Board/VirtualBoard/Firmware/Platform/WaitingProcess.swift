internal import CFirmwareChannel
import Dispatch
import ESPImage
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A firmware process before its first turn, which tells it all that differs between starts, and its channel.
// SAFETY: one thread at a time uses it: the one that started it passes it on.
struct WaitingProcess: @unchecked Sendable {
    let header: UnsafeMutablePointer<cfc_header>
    let channel: Int32
    let process: pid_t

    /// Starts `program`, which this machine can run, in its sandbox.
    init(_ program: HostProgram) throws(FirmwareProcessError) {
        var header: UnsafeMutablePointer<cfc_header>?
        var channel: Int32 = -1
        try FirmwareProcess.check(cfc_create(&header, &channel), "make the channel")
        guard let header else { throw FirmwareProcessError(doing: "make the channel", ENOMEM) }
        var process: Int32 = -1
        do throws(FirmwareProcessError) {
            let file = try ProgramFile.file(of: program.program)
            // Another bench may replace the kept file meanwhile: its descriptor must not be closed, and given to another.
            let code = withExtendedLifetime(file) {
                cfc_spawn(file.descriptor, channel, -1, program.isSanitized, &process)
            }
            try FirmwareProcess.check(code, "start the sketch")
        } catch {
            cfc_destroy(header, channel)
            throw error
        }
        self.header = header
        self.channel = channel
        self.process = process
    }

    /// Kills the process.
    func terminate() {
        kill(process, SIGKILL)
        KilledProcesses.add(process)
    }

    /// Ends the use of the channel.
    func close() { cfc_destroy(header, channel) }
}

/// A process that starts while the former one of its program still runs: to start one takes as long as a sensor's
/// measurement, which a board that sleeps deeply makes at each start.
final class NextProcess {
    /// The start of one process on a thread of its own.
    private final class Launch: Sendable {
        let program: HostProgram
        private let result = Mutex<WaitingProcess?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        init(_ program: HostProgram) {
            self.program = program
            DispatchQueue.global().async {
                let process = try? WaitingProcess(program)
                self.result.withLock { $0 = process }
                self.isDone.signal()
            }
        }

        /// Waits for the process; `nil`: it could not be started.
        func wait() -> WaitingProcess? {
            isDone.wait()
            return result.withLock { $0 }
        }
    }

    private var launch: Launch?

    deinit { discard() }

    /// Begins to start a process of `program`.
    func prepare(_ program: HostProgram) {
        discard()
        launch = Launch(program)
    }

    /// The process for the next start of `program`: the prepared one, or a new one.
    func take(_ program: HostProgram) throws(FirmwareProcessError) -> WaitingProcess {
        if let launch, launch.program == program {
            self.launch = nil
            if let process = launch.wait() { return process }
        }
        discard()
        return try WaitingProcess(program)
    }

    private func discard() {
        let former = launch
        launch = nil
        guard let process = former?.wait() else { return }
        process.terminate()
        process.close()
    }
}
