import Foundation
import Testing

/// Wireshark's decoder as a child process, to validate captures.
enum Tshark {
    private static let path = "/usr/bin/tshark"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The values of `fields` in each packet of the btsnoop file `capture`.
    static func decode(_ capture: [UInt8], _ fields: [String]) async throws -> [[String: String]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString).btsnoop")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["-r", file.path, "-T", "fields"] + fields.flatMap { ["-e", $0] }
        let text = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try run(arguments) }) }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            Dictionary(uniqueKeysWithValues: zip(fields, line.split(separator: "\t", omittingEmptySubsequences: false)))
                .mapValues(String.init)
        }
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ["HOME": FileManager.default.temporaryDirectory.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "tshark \(arguments.joined(separator: " "))")
        return String(decoding: data, as: UTF8.self)
    }
}
