import Foundation
import Testing

/// Wireshark's decoder, to validate captures.
enum Tshark {
    private static let path = "/usr/bin/tshark"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The values of `fields` in each packet of the btsnoop file `capture`.
    static func decode(_ capture: [UInt8], _ fields: [String]) async throws -> [[String: String]] {
        let text = try await CaptureReader.run(
            path, on: capture, ["-T", "fields"] + fields.flatMap { ["-e", $0] })
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            Dictionary(uniqueKeysWithValues: zip(fields, line.split(separator: "\t", omittingEmptySubsequences: false)))
                .mapValues(String.init)
        }
    }
}

/// BlueZ's decoder.
enum Btmon {
    private static let path = "/usr/bin/btmon"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What it prints of the btsnoop file `capture`.
    static func decode(_ capture: [UInt8]) async throws -> String {
        try await CaptureReader.run(path, on: capture, [])
    }
}

/// A program that reads captures.
enum CaptureReader {
    /// What the program at `path` prints when it reads `capture`.
    static func run(_ path: String, on capture: [UInt8], _ arguments: [String]) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString).btsnoop")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try run(path, ["-r", file.path] + arguments) })
            }
        }
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> String {
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
        #expect(process.terminationStatus == 0, "\(path) \(arguments.joined(separator: " "))")
        return String(decoding: data, as: UTF8.self)
    }
}
