import Foundation

/// Espressif's own tool, run as a program: it judges what we make. `Scripts/test` installs it.
enum Esptool {
    /// `.venv/bin/esptool` in the root of the package.
    static let executable = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../.venv/bin/esptool").standardized

    /// Why tests with it are skipped where it is not there.
    static let absence = "there is no .venv/bin/esptool: Scripts/test installs it"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    /// Runs it with `files` in a directory of their own, and returns what it printed and the files afterwards.
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
        // A file that was not made is empty: what was printed says why.
        let file = result.flatMap { try? [UInt8](Data(contentsOf: directory.appending(path: $0))) } ?? []
        return (process.terminationStatus, String(decoding: output, as: UTF8.self), file)
    }
}
