import Foundation

/// The Python that has Espressif's tools.
enum Python {
    static let executable = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../.venv/bin/python").standardized
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-c", script] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
