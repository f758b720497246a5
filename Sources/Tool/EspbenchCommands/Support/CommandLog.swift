internal import Console
import MonotonicTime
import Synchronization

/// The log of a command that runs long: its lines, each with the host's time, in files that rotate.
final class CommandLog: Sendable {
    private let file: Mutex<RotatingLog>
    private let command: String
    private let environment: Environment

    /// Opens the log at `path` for appending; faults are reported to `output`.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be created, or another espbench writes it.
    init(
        _ path: String, _ rotation: LogRotation, command: String, _ environment: Environment, _ output: Output
    ) throws(CommandFailure) {
        let heading = "--- espbench \(command) runs from \(Self.stamp(environment)) on"
        file = Mutex(try RotatingLog(path, rotation, heading: heading, output))
        self.command = command
        self.environment = environment
    }

    /// Appends the lines of `text`, without control characters of a board or a peer: a terminal will show them.
    func write(_ text: some Collection<UInt8>) {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return }
        let stamp = Array((Self.stamp(environment) + " ").utf8)
        var bytes: [UInt8] = []
        for line in lines { bytes += stamp + VisibleText.visible(Array(line)) + [0x0A] }
        file.withLock { [bytes] in $0.write(bytes) }
    }

    /// Ends the log, and reports that it is incomplete, if a write failed.
    ///
    /// - Throws: ``CommandFailure``.
    func finish() throws(CommandFailure) {
        write("--- espbench \(command) ended".utf8)
        try file.withLock { (file) throws(CommandFailure) in try file.finish() }
    }

    /// `2026-11-23 06:24:25.123`
    private static func stamp(_ environment: Environment) -> String {
        let time = environment.wallTime()
        let milliseconds = time / 1000 % 1000
        return HostTime(wallTime: time, now: .zero).text(.zero) + "." + String(1000 + milliseconds).dropFirst()
    }
}
