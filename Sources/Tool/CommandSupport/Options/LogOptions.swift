import ArgumentParser
package import BenchExecutor
package import LogFiles

/// The options for the log of a long-running command, and for the amount of log that is kept.
package struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Append all lines, including those not shown, to this file, with date and time; 'espbench log FILE \
            --follow' shows them.
            """,
            valueName: "file"),
        completion: .file())
    package var log: String?

    @Option(
        help: ArgumentHelp("Begin a new log file at this size, e.g. 10M; 100M if not given.", valueName: "size"),
        transform: Self.size)
    var logSize: Int?

    @Option(
        help: ArgumentHelp(
            "Keep this many former log files, at most 1000: FILE.1, FILE.2, … (default: \(LogRotation.standard.kept))",
            valueName: "count"),
        transform: NumberOption.within(LogRotation.keepable))
    var logKeep: Int?

    package func validate() throws {
        if log == "" { throw ValidationError("--log expects the path of a file, got an empty text.") }
        if logSize != nil, log == nil { throw ValidationError("--log-size needs --log.") }
        if logKeep != nil, log == nil { throw ValidationError("--log-keep needs --log.") }
    }

    /// When the log is rotated.
    package var rotation: LogRotation {
        LogRotation(
            maximumSize: logSize ?? LogRotation.standard.maximumSize, kept: logKeep ?? LogRotation.standard.kept)
    }

    /// Runs `body` with ``CommandRunner`` and also writes its output to the requested log; each file of the log begins
    /// with a line that names `command`.
    package func run(
        _ command: String, _ environment: Environment, _ output: Output,
        _ body: @escaping @Sendable (BenchExecutor) async throws -> ExitReason
    ) throws {
        let (log, rotation) = (log, rotation)
        try CommandRunner.run(output) { executor in
            guard let log else { return try await body(executor) }
            let kept = try TimedLog(log, rotation, command: command, environment, output)
            output.keep(in: kept)
            do {
                let reason = try await body(executor)
                kept.write("--- espbench \(command) ended")
                try LogFile.Fault.check(kept.fault)
                return reason
            } catch {
                output.record("error: \(CommandFailure(error, .benchFault).message)".utf8)
                // Stops logging: the error is already in the log.
                output.keep(in: nil)
                kept.write("--- espbench \(command) ended")
                throw error
            }
        }
    }

    /// Reads a size: `4096`, `64K`, `10M`, `1G` (powers of 1024).
    private static func size(_ text: String) throws -> Int {
        let unit = ["K": 10, "M": 20, "G": 30][text.suffix(1).uppercased()]
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let count = Int(digits), count > 0, count <= 1 << 30 else {
            throw ValidationError(
                "Expected a size of 1 to \(1 << 30) bytes, K, M or G such as 10M, got '\(text)'.")
        }
        return count << (unit ?? 0)
    }

    package init() {}
}
