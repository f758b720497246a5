import FirmwareBuild
import Foundation

/// What the process was started with; the only place that reads it.
package struct Environment: Sendable {
    /// The environment variables.
    package var variables: [String: String]
    /// The folder the process was started in.
    package var workingFolder: String
    /// Whether standard output is a terminal.
    package var outputIsTerminal: Bool
    /// Whether standard error is a terminal.
    package var errorIsTerminal: Bool

    /// An environment of one's own.
    package init(
        variables: [String: String], workingFolder: String, outputIsTerminal: Bool = false,
        errorIsTerminal: Bool = false
    ) {
        self.variables = variables
        self.workingFolder = workingFolder
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal
    }

    /// Microseconds since the Unix epoch, by the machine's clock.
    func wallTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// A seed of the system's: boards that run in real time are not to draw what others can foresee.
    func chance() -> UInt64 {
        UInt64.random(in: .min ... .max)
    }

    /// This process.
    static var process: Environment {
        Environment(
            variables: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1)
    }

    /// Whether a terminal with file descriptor state `isTerminal` gets colour (https://no-color.org).
    package func allowsColour(_ isTerminal: Bool) -> Bool {
        isTerminal && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
    }

    /// Whether progress bars are drawn: only on a terminal that someone looks at.
    package var allowsProgressBar: Bool {
        errorIsTerminal && variables["CI", default: ""].isEmpty && variables["TERM"] != "dumb"
    }

    /// What belongs to the user and to no project.
    var folders: UserFolders { UserFolders(variables) }

    /// Where builds are kept.
    package var cacheFolder: String { folders.cache }

    /// Where the sealing key and the virtual board's flash are kept.
    package var stateFolder: String { folders.state }
}
