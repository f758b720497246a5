import CommandSupport
import Dispatch
import FirmwareBuild
import Foundation

/// The machine that the doctor checks: files below a root, the programs in a PATH, the user's groups. Tests use
/// simulated machines.
package struct Machine: Sendable {
    /// The root of the file system, without a slash at its end.
    package var root: String
    /// The environment variables.
    package var variables: [String: String]
    /// True if the system is Linux.
    package var isLinux: Bool
    /// True if the user is root.
    package var isRoot: Bool
    /// The names of the user's groups.
    package var groups: Set<String>
    /// The folders above the program, where it may have been built.
    package var programFolders: [String]

    /// A machine with these properties.
    package init(
        root: String = "", variables: [String: String], isLinux: Bool = true, isRoot: Bool = false,
        groups: Set<String> = [], programFolders: [String] = []
    ) {
        self.root = root
        self.variables = variables
        self.isLinux = isLinux
        self.isRoot = isRoot
        self.groups = groups
        self.programFolders = programFolders
    }

    /// This machine.
    package init(_ environment: Environment) {
        self.init(
            variables: environment.variables, isRoot: getuid() == 0, groups: UserGroups.names,
            programFolders: Self.folders(above: environment.executable))
        #if !os(Linux)
            isLinux = false
        #endif
    }

    private static func folders(above path: String) -> [String] {
        var folders: [String] = []
        var url = URL(filePath: path).deletingLastPathComponent()
        while url.path.count > 1, folders.count < 8 {
            folders.append(url.path)
            url = url.deletingLastPathComponent()
        }
        return folders
    }

    // MARK: Files

    /// True if a file, folder or device exists at `path`.
    package func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + path) }

    /// The names in the folder at `path`, sorted; none if it does not exist.
    package func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
    }

    /// The text of a file without white space around it; `nil` if it cannot be read.
    package func text(of path: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: root + path) else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// True if the user may read and write the file or device at `path`.
    func isUsable(_ path: String) -> Bool {
        FileManager.default.isReadableFile(atPath: root + path)
            && FileManager.default.isWritableFile(atPath: root + path)
    }

    // MARK: Programs

    /// The first of `names` that is found in PATH.
    package func program(_ names: String...) -> String? {
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        for name in names {
            for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    /// Runs a program to its end; `nil` when the program cannot be started or does not end in time.
    package func run(_ path: String, _ arguments: [String], input: String = "") async -> ProgramOutcome? {
        await ProgramOutcome.of(path, arguments, variables: variables, input: input)
    }
}

/// Commands that repair this machine when they are pasted into its shell.
extension Machine {
    /// `command` as the user may run it: root needs no sudo, which containers often lack.
    func asRoot(_ command: String) -> String { isRoot ? command : "sudo \(command)" }

    /// The command that starts a service of the system.
    func starting(_ service: String) -> String {
        asRoot(exists("/run/systemd/system") ? "systemctl start \(service)" : "service \(service) start")
    }

    /// The command that installs Debian packages.
    func installing(_ packages: String) -> String { asRoot("apt-get install \(packages)") }

    /// The command that adds the user to a group.
    func joining(_ group: String) -> String { asRoot("usermod -aG \(group) $USER") + "  # then log in again" }

    /// The first folder above the program that has a file at `path`, e.g. a checkout of espbench's repository.
    package func folder(with path: String) -> String? { programFolders.first { exists("\($0)/\(path)") } }
}

/// The outcome of a program that the doctor ran.
package struct ProgramOutcome: Sendable {
    /// The time limit of a program; a slower one is ended and counts as broken.
    private static let limit = DispatchTimeInterval.seconds(20)

    /// True if its exit code was 0.
    var isSuccess: Bool
    /// Standard output and standard error, without white space around them.
    var output: String

    /// The first line of the output.
    var firstLine: String { output.split(whereSeparator: \.isNewline).first.map { String($0) } ?? "" }
    /// The last line, in which programs usually report an error.
    var lastLine: String { output.split(whereSeparator: \.isNewline).last.map { String($0) } ?? "" }

    /// Runs the program at `path` with `input` on standard input.
    static func of(
        _ path: String, _ arguments: [String], variables: [String: String], input: String
    ) async -> ProgramOutcome? {
        await withCheckedContinuation { continuation in
            // Waiting blocks a thread.
            DispatchQueue.global().async {
                continuation.resume(returning: run(path, arguments, variables: variables, input: input))
            }
        }
    }

    private static func run(
        _ path: String, _ arguments: [String], variables: [String: String], input: String
    ) -> ProgramOutcome? {
        let process = Process()
        let (output, source) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = variables.merging(["LC_ALL": "C.UTF-8"]) { _, own in own }
        process.standardInput = source
        process.standardOutput = output
        process.standardError = output
        // Written before the program starts: so little input fits in the pipe, and writing to a pipe without a reader
        // would end this program.
        try? source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? source.fileHandleForWriting.close()
        guard (try? process.run()) != nil else { return nil }
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        watchdog.cancel()
        return ProgramOutcome(
            isSuccess: process.terminationReason == .exit && process.terminationStatus == 0,
            output: String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

/// The groups of the user who runs this process.
enum UserGroups {
    /// The names of the groups.
    static var names: Set<String> {
        let count = getgroups(0, nil)
        guard count >= 0 else { return [] }
        var identifiers = [gid_t](repeating: 0, count: Int(count))
        guard getgroups(count, &identifiers) >= 0 else { return [] }
        return Set(
            (identifiers + [getegid()]).compactMap { identifier in
                getgrgid(identifier).flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
            })
    }
}
