import Subprocess
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs a program to its end and collects its output.
///
/// The program and its child processes are ended when espbench ends for any reason: a compiler would otherwise run for
/// minutes. An intermediate shell sets the limits, and ends the whole process group when the pipe at its standard input
/// is closed.
struct CommandLineTool: Sendable {
    /// The result of one run.
    struct Outcome: Sendable {
        var isSuccess: Bool
        var output: [UInt8]
        var standardError: String

        var standardOutput: String { String(decoding: output, as: UTF8.self) }
    }

    /// The program's path.
    let path: String
    /// The limits of each run; `nil`: none.
    var limits: ProgramLimits?

    /// The first of `names` found in PATH; a name with a slash is a path.
    static func find(_ names: [String], limits: ProgramLimits? = nil) async -> CommandLineTool? {
        for name in names {
            let executable = name.contains("/") ? Executable.path(FilePath(name)) : Executable.name(name)
            if let path = try? await executable.resolveExecutablePath(in: .inherit) {
                return CommandLineTool(path: path.string, limits: limits)
            }
        }
        return nil
    }

    /// Messages in English, since some of them are interpreted; with quotation marks in UTF-8.
    private static let environment = Environment.inherit.updating(["LC_ALL": "C.UTF-8", "LANGUAGE": "C"])

    /// A compiler runs other programs: the group is ended as a whole. Ctrl-C reaches only espbench, which then knows
    /// the reason.
    private static var ownGroup: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        return options
    }

    /// The read end of a pipe. Only this process has the write end, and it never writes.
    private static let lifeline: FileDescriptor? = {
        guard let ends = try? FileDescriptor.pipe() else { return nil }
        for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        return ends.readEnd
    }()

    /// Runs "$@" with the limits that `LIMITS` sets.
    private static let shell = """
        exec 3<&0 </dev/null
        (trap '' TERM; read -r line <&3; kill -TERM 0; sleep 1; kill -KILL 0) >/dev/null 2>&1 &
        exec 3<&-
        LIMITS
        "$@"
        code=$?
        kill -KILL $!
        wait $! 2>/dev/null
        exit $code
        """

    /// Runs the program with `arguments`; errors speak of the file `subject`.
    ///
    /// - Throws: ``FirmwareBuildError`` when it cannot be started, a disk is full, or it exceeds its limits.
    func run(_ arguments: [String], for subject: String? = nil) async throws(FirmwareBuildError) -> Outcome {
        let outcome = try await timed(arguments, subject)
        guard !outcome.isSuccess else { return outcome }
        let full = outcome.standardError.split(whereSeparator: \.isNewline).first { $0.contains(Self.diskIsFull) }
        if let full {
            throw FirmwareBuildError(.fileSystem, "a disk is full: \(path) could not write a file: \(full)")
        }
        if let limit = limits?.exceeded(outcome.standardError) {
            throw exceeded(limit, subject, outcome.standardError)
        }
        return outcome
    }

    /// The C library's text for a full disk; the compiler's further messages are consequences of it.
    private static let diskIsFull = "No space left on device"

    private func exceeded(_ limit: String, _ subject: String?, _ output: String = "") -> FirmwareBuildError {
        FirmwareBuildError(
            .compilationFailed,
            "\(path) was ended\(subject.map { " at \($0)" } ?? ""): expected it to need at most \(limit): is a device, a pipe or an endless file included, or is a macro or template endless?",
            compilerOutput: output)
    }

    private func timed(_ arguments: [String], _ subject: String?) async throws(FirmwareBuildError) -> Outcome {
        do {
            return try await ProgramSlots.shared.run {
                guard let time = limits?.time else { return try await outcome(arguments, subject) }
                return try await withThrowingTaskGroup(of: Outcome.self) { group in
                    group.addTask { try await outcome(arguments, subject) }
                    group.addTask {
                        // A compiler that waits for a pipe uses no processor time.
                        try await limits?.clock.sleep(for: time)
                        throw exceeded("\(time.components.seconds) s", subject)
                    }
                    defer { group.cancelAll() }
                    guard let first = try await group.next() else { throw CancellationError() }
                    return first
                }
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
    }

    private func outcome(_ arguments: [String], _ subject: String?) async throws(FirmwareBuildError) -> Outcome {
        do {
            guard let lifeline = Self.lifeline else { throw Errno(rawValue: EMFILE) }
            let longest = (limits ?? ProgramLimits()).output << 20
            let shell = Self.shell.replacing("LIMITS", with: limits?.commands ?? "")
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: Arguments(["-c", shell, "sh", path] + arguments),
                environment: Self.environment, platformOptions: Self.ownGroup,
                input: .fileDescriptor(lifeline, closeAfterSpawningProcess: false),
                output: .bytes(limit: longest), error: .bytes(limit: longest))
            let outcome = Outcome(
                isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
                standardError: String(decoding: result.standardError, as: UTF8.self))
            // The shell's own exit codes: the program does not exist, or cannot be executed.
            if case .exited(126...127) = result.terminationStatus {
                throw FirmwareBuildError(
                    .compilerNotFound, "\(path) could not be run: \(outcome.standardError.trimmed)")
            }
            return outcome
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            let error = error as? SubprocessError
            if error?.code == .outputLimitExceeded {
                throw exceeded("\((limits ?? ProgramLimits()).output) MB of output", subject)
            }
            let reason = error?.underlyingError.map { "\($0)" } ?? "\(error as Any)"
            throw FirmwareBuildError(.compilerNotFound, "\(path) could not be run: \(reason)")
        }
    }
}

/// The limits for one run of a compiler. Its input may have no end: a device, a pipe, a macro that expands to itself
/// twice.
package struct ProgramLimits: Sendable {
    /// In seconds, of each process.
    package var processorTime = 300
    /// The memory of each process, in MB. GCC takes some 100 MB for a sketch with NimBLE; not limited where the system
    /// has no such limit.
    package var memory = 3072
    /// The longest file that is written, in MB. A precompiled header has some 60.
    package var file = 512
    /// The longest output kept of one stream, in MB: compilers can print much for one error, and the preprocessor prints all
    /// headers.
    package var output = 32
    /// From start to end; the machine may be busy.
    package var time = Duration.seconds(1200)
    /// Measures ``time``.
    package var clock: any Clock<Duration> = SuspendingClock()

    /// The standard limits.
    package init() {}

    /// The shell commands that set the limits; `ulimit -f` counts blocks of 512 bytes, or of 1,024 in some shells.
    fileprivate var commands: String {
        """
        ulimit -S -t \(processorTime) 2>/dev/null
        ulimit -v \(memory << 10) 2>/dev/null
        ulimit -f \(file << 11) 2>/dev/null
        """
    }

    /// The limit that a compiler with these messages has exceeded, if any.
    fileprivate func exceeded(_ messages: String) -> String? {
        if messages.contains("CPU time limit exceeded") { return "\(processorTime) s of processor time" }
        if messages.contains("File size limit exceeded") { return "\(file) MB for a file" }
        let memoryFaults = ["out of memory allocating", "virtual memory exhausted", "std::bad_alloc", "Killed signal"]
        return memoryFaults.contains(where: messages.contains) ? "\(memory) MB of memory" : nil
    }
}
