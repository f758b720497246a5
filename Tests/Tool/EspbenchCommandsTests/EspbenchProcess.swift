import Foundation
import Testing

/// The built tool as a child process.
struct EspbenchProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The tool, in the folder of the tests' executable.
    static let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "espbench")

    /// The builds of all tests, in this target and others: the host core is compiled once.
    private static let builds = URL(filePath: #filePath).appending(path: "../../../../.build/test-builds").standardized

    /// The longest wait for a text; what the tool prints in the meantime does not extend it.
    static let waitLimit = Duration.seconds(300)
    /// The longest run to the end, with a build of a sketch and its host core on a busy machine.
    private static let runLimit = Duration.seconds(600)

    /// Prepares `espbench` with `arguments`, run in `folder`; its state is below `folder`, and its builds are in `cache`, or with those of
    /// the other tests.
    ///
    /// - Parameters:
    ///   - input: standard input; by default a keyboard without input.
    ///   - shell: a shell command that runs the tool as `"$@"`, e.g. with a limit or another output.
    init(
        _ arguments: [String], folder: URL, cache: URL? = nil, input: FileHandle? = nil, shell: String? = nil
    ) {
        if let shell {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", shell, "sh", Self.executable.path] + arguments
        } else {
            process.executableURL = Self.executable
            process.arguments = arguments
        }
        process.environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": (cache ?? Self.builds).path,
        ]
        if cache == nil { Self.writeKey(folder) }
        process.currentDirectoryURL = folder
        process.standardInput = input ?? Pipe()
        process.standardOutput = output
        process.standardError = errors
    }

    /// Gives the state below `folder` the key of all tests that share the cache of builds; a build with another one compiles
    /// the host core anew.
    private static func writeKey(_ folder: URL) {
        let state = folder.appending(path: ".local/state/espbench")
        let path = state.appending(path: "sealing.key").path
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try? FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data("The key of espbench's own tests.".utf8),
            attributes: [.posixPermissions: 0o600])
    }

    /// Standard error up to and including `text`.
    func waitForNote(_ text: String, within limit: Duration = waitLimit) -> String {
        read(errors, "standard error with '\(text)'", within: limit) { $0.contains(text) }
    }

    /// Standard output up to and including `text`.
    func waitForOutput(_ text: String, within limit: Duration = waitLimit) -> String {
        read(output, "standard output with '\(text)'", within: limit) { $0.contains(text) }
    }

    /// Standard output up to the last of `texts`, in whichever order they come; a text that is there twice comes twice.
    func waitForOutput(ofAll texts: [String], within limit: Duration = waitLimit) -> String {
        read(output, "standard output with \(texts)", within: limit) { output in
            texts.allSatisfy { text in
                output.components(separatedBy: text).count > texts.count(where: { $0 == text })
            }
        }
    }

    /// The first `lines` lines of standard output.
    func waitForData(lines: Int) -> String {
        read(output, "\(lines) lines of standard output", within: Self.waitLimit) {
            $0.count(where: \.isNewline) >= lines
        }
    }

    /// Reads until `isEnough` or the end of the output; after `limit` the tool is killed, and the test has failed.
    private func read(
        _ pipe: Pipe, _ expected: String, within limit: Duration, until isEnough: (String) -> Bool
    ) -> String {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        var data = Data()
        while true {
            let text = String(decoding: data, as: UTF8.self)
            if isEnough(text) { return text }
            let remaining = clock.now.duration(to: deadline)
            guard remaining > .zero else {
                Issue.record("expected \(expected) within \(limit), got '\(text.suffix(2000))'; the tool is killed")
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                return text
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = min(remaining.components.seconds * 1000 + 1, 60_000)
            guard poll(&entry, 1, Int32(milliseconds)) > 0 else { continue }
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { return text }
            data += more
        }
    }

    /// Runs to the end: exit code, standard output and standard error.
    func run() throws -> (code: Int32, output: String, errors: String) {
        // Both outputs are read at once: a full pipe would block the tool.
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-output-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
        let errors = waitForNote("\u{0}", within: Self.runLimit)
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8), errors)
    }
}

/// A temporary folder.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
