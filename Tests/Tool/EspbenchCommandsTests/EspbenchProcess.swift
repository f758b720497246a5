import Foundation

/// The built tool as a child process.
struct EspbenchProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The tool, in the folder of the tests' executable.
    static let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "espbench")

    /// The builds of all tests: the host core is compiled once.
    private static let builds = FileManager.default.temporaryDirectory.appending(path: "espbench-test-builds")

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
        process.currentDirectoryURL = folder
        process.standardInput = input ?? Pipe()
        process.standardOutput = output
        process.standardError = errors
    }

    /// Standard error up to and including `text`.
    func waitForNote(_ text: String) -> String {
        var notes = ""
        while !notes.contains(text) {
            let data = errors.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            notes += String(decoding: data, as: UTF8.self)
        }
        return notes
    }

    /// Standard output up to and including `text`.
    func waitForOutput(_ text: String) -> String {
        var data = ""
        while !data.contains(text) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            data += String(decoding: more, as: UTF8.self)
        }
        return data
    }

    /// The first `lines` lines of standard output.
    func waitForData(lines: Int) -> String {
        var text = ""
        while text.count(where: \.isNewline) < lines {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }

    /// Runs to the end: exit code, standard output and standard error.
    func run() throws -> (code: Int32, output: String, errors: String) {
        // Both outputs are read at once: a full pipe would block the tool.
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-output-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
        let errors = waitForNote("\u{0}")
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
