import Foundation

/// The built tool as a process of its own.
struct EspbenchProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Prepares `espbench` with `arguments`; its state and cache are below `home`.
    init(_ arguments: [String], folder: URL, input: FileHandle = .nullDevice) {
        // The tests' own executable stands beside the tool.
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "espbench")
        process.arguments = arguments
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
    }

    /// What comes on standard error, up to and with `text`.
    func waitForNote(_ text: String) -> String {
        var notes = ""
        while !notes.contains(text) {
            let data = errors.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            notes += String(decoding: data, as: UTF8.self)
        }
        return notes
    }

    /// Runs to the end: exit code, standard output and standard error.
    func run() throws -> (code: Int32, output: String, errors: String) {
        try process.run()
        let errors = waitForNote("\u{0}")
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text, errors)
    }
}

/// A folder that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID())").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
