package import LogFiles

/// The faults of the file of `--log`, as a command reports them.
extension LogFile.Fault {
    /// The failure of a log that cannot be opened.
    package var asFailure: CommandFailure {
        switch self {
        case .busy(let path):
            CommandFailure(.benchFault, "--log \(path) is being written by another espbench", code: "file.busy")
        case .notFile(let path): CommandFailure(.badInput, "--log \(path): \(reason)", code: "log.noFile")
        case .system(let path, let number): OutputFile.notCreated("--log \(path)", path, SystemFault(number))
        }
    }

    /// Reports at once that the log ends here.
    package func complain(_ output: Output) { output.complain("error: --log \(path) could not be written: \(reason)") }

    /// Reports that the log is incomplete, if there is a fault.
    ///
    /// - Throws: ``CommandFailure``.
    package static func check(_ fault: LogFile.Fault?) throws(CommandFailure) {
        guard let fault else { return }
        throw CommandFailure(
            .benchFault, "--log \(fault.path) is incomplete: \(fault.reason)", code: "file.notWritten")
    }
}

extension TimedLog {
    /// Opens the log of `command` at `path` for appending; faults are reported to `output`.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be created, or another espbench writes it.
    package convenience init(
        _ path: String, _ rotation: LogRotation, command: String, _ environment: Environment, _ output: Output
    ) throws(CommandFailure) {
        do throws(LogFile.Fault) {
            try self.init(path, rotation, of: "espbench \(command)", wallTime: { environment.wallTime() }) { fault in
                fault.complain(output)
            }
        } catch {
            throw error.asFailure
        }
    }
}
