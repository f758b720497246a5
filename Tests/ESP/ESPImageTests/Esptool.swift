import Foundation

/// Espressif's tool as a child process, to validate our output. `Scripts/test` installs it.
enum Esptool {
    /// `.venv/bin/esptool` in the root of the package.
    static let executable = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../.venv/bin/esptool").standardized

    /// The reason for which tests are skipped where it is missing.
    static let absence = "there is no .venv/bin/esptool: Scripts/test installs it"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    /// Runs it with `files` in a temporary directory; returns its output and the files afterwards.
    static func run(
        _ arguments: [String], files: [String: [UInt8]], result: String? = nil
    ) throws -> (status: Int32, output: String, file: [UInt8]) {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in files { try Data(bytes).write(to: directory.appending(path: name)) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A missing file is returned as empty: the output says why.
        let file = result.flatMap { try? [UInt8](Data(contentsOf: directory.appending(path: $0))) } ?? []
        return (process.terminationStatus, String(decoding: output, as: UTF8.self), file)
    }
}
