import FirmwareBuild
import Foundation

/// The environment of the process; the only place that reads it.
package struct Environment: Sendable {
    /// The version of the program.
    package static let version = "0.1.0"

    /// The environment variables.
    package var variables: [String: String]
    /// The working folder, by the name that the user's shell has for it; `nil` when the folder no longer exists.
    package var workingFolder: String?
    /// The path of the program's executable, without symbolic links.
    package var executable: String
    /// True if standard output is a terminal.
    package var outputIsTerminal: Bool
    /// True if standard error is a terminal.
    package var errorIsTerminal: Bool
    /// The columns of standard output; `nil` when it is not a terminal, or does not report its size.
    package var outputWidth: Int?
    /// The columns of standard error; `nil` likewise.
    package var errorWidth: Int?
    /// The name under which the program was called.
    package var program = "espbench"

    /// An environment with these values.
    package init(
        variables: [String: String], workingFolder: String?, executable: String = "",
        outputIsTerminal: Bool = false, errorIsTerminal: Bool = false
    ) {
        self.variables = variables
        self.workingFolder = workingFolder
        self.executable = executable
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal
    }

    /// Microseconds since the Unix epoch, by the machine's clock.
    package func wallTime() -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1_000_000)
    }

    /// A seed from the system's generator, so that the random numbers of boards in real time are not predictable.
    package func randomSeed() -> UInt64 {
        UInt64.random(in: .min ... .max)
    }

    /// This process.
    package static var process: Environment {
        let variables = ProcessInfo.processInfo.environment
        var environment = Environment(
            variables: variables, workingFolder: ProcessFiles.workingFolder(variables["PWD"]),
            executable: ProcessFiles.executable, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1)
        environment.outputWidth = environment.width(STDOUT_FILENO, environment.outputIsTerminal)
        environment.errorWidth = environment.width(STDERR_FILENO, environment.errorIsTerminal)
        if let program = CommandLine.arguments.first, !program.isEmpty { environment.program = program }
        return environment
    }

    /// The columns of the terminal `descriptor`: the value of COLUMNS if it is set, else the reported number.
    private func width(_ descriptor: Int32, _ isTerminal: Bool) -> Int? {
        guard isTerminal else { return nil }
        if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The lines of the terminal `descriptor`; `nil` when it is not a terminal, or does not report its size.
    private func height(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// The current size of the terminal that is standard output; the user may change it.
    package func outputSize() -> TerminalSize {
        TerminalSize(width: width(STDOUT_FILENO, outputIsTerminal) ?? 80, height: height(STDOUT_FILENO) ?? 24)
    }

    /// True if standard output is a terminal on which text can be redrawn.
    package var allowsLiveTable: Bool { outputIsTerminal && variables["TERM", default: "dumb"] != "dumb" }

    /// True if a terminal with file descriptor state `isTerminal` gets colour (https://no-color.org).
    package func allowsColour(_ isTerminal: Bool) -> Bool {
        isTerminal && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
    }

    /// True if a terminal with file descriptor state `isTerminal` gets colour, as the user chose.
    package func allowsColour(_ isTerminal: Bool, _ choice: ColourChoice) -> Bool {
        switch choice {
        case .auto: allowsColour(isTerminal)
        case .always: true
        case .never: false
        }
    }

    /// True if progress bars are drawn: only on an interactive terminal.
    package var allowsProgressBar: Bool {
        errorIsTerminal && variables["CI", default: ""].isEmpty && variables["TERM"] != "dumb"
    }

    /// True if this process runs in continuous integration.
    package var isContinuousIntegration: Bool {
        !variables["CI", default: ""].isEmpty || variables["GITHUB_ACTIONS"] == "true"
            || !variables["JENKINS_URL", default: ""].isEmpty
    }

    /// The name of this machine.
    package var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folders for files that belong to the user, not to a project.
    package var folders: UserFolders { get throws(FirmwareBuildError) { try UserFolders(variables) } }

    /// The host core that comes with the program.
    package func hostCore() throws(FirmwareBuildError) -> String {
        try HostCoreFolder.find(override: variables[HostCoreFolder.variable], near: executable)
    }

    /// The folder of cached builds.
    package var cacheFolder: String { get throws(FirmwareBuildError) { try folders.cache } }

    /// The folder of the sealing key and the virtual board's flash.
    package var stateFolder: String { get throws(FirmwareBuildError) { try folders.state } }
}
